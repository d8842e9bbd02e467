"""How the players' code is compiled: cached by its own sources and the engine's."""

from pathlib import Path

from tenefyr_env.engine.jit import entries, inlined, jit

FOLDER = Path(__file__).resolve().parent
entry = entries(*FOLDER.glob("scripted/*.py"), *FOLDER.glob("search/*.py"))

__all__ = ["entry", "inlined", "jit"]
