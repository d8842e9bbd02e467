"""The names under which Gymnasium and PettingZoo make the environments."""

import gymnasium

GYMNASIUM_IDS = {"Tenefyr/Party-v0": "Party", "Tenefyr/Hero-v0": "Hero"}
PETTINGZOO_ID = "tenefyr_v0"


def register_envs() -> None:
    """Register everything once."""
    for name, kind in GYMNASIUM_IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"tenefyr_env.gym_env:{kind}Env",
                vector_entry_point=f"tenefyr_env.gym_vector:{kind}VectorEnv",
            )
    register_pettingzoo()


def register_pettingzoo() -> None:
    """Register the AEC environment, where the installed PettingZoo has a registry."""
    try:
        from pettingzoo import aec_registry, register  # type: ignore[import-untyped]
    except ImportError:
        return
    # PettingZoo keeps it as tenefyr-v0, and finds it under both spellings.
    if PETTINGZOO_ID.replace("_v", "-v") not in aec_registry:
        register("aec", PETTINGZOO_ID, "tenefyr_env.env:env")
