"""How engine functions are compiled, and where the compiled code is kept.

`jit` is for the functions of the rules, `entry` for the few that Python calls. Only entries are
cached on disk: an entry holds the code of everything it calls. Numba's cache does not notice an
edit in an imported file, so the folder's name is a hash of the sources. Code outside the package
that calls the rules makes an `entry` of its own with `entries`.

With `NUMBA_DISABLE_JIT=1` both leave the function as plain Python, for debugging.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

KEPT_CACHES = 8  # folders of other versions that stay: a few clones side by side
PACKAGE = Path(__file__).resolve().parent.parent
# The files that compiled code comes from; an edit elsewhere leaves the cache valid.
COMPILED = ("cards/table.py", "cards/vocabulary.py", "engine/*.py", "spaces/*.py")


def _fingerprint(more: Sequence[Path]) -> str:
    """A name for this version of the sources, of numba, and of the way code is compiled."""
    digest = hashlib.sha256()
    own = sorted(path for pattern in COMPILED for path in PACKAGE.glob(pattern))
    for path in [*own, *sorted(more)]:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """`TENEFYR_CACHE_DIR`, or the user's cache folder."""
    chosen = os.environ.get("TENEFYR_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tenefyr-env"


def _forget_old_caches(root: Path, current: Path) -> None:
    """Delete all but the newest few folders, so that every edit does not leave one behind."""
    others = [path for path in root.iterdir() if path.is_dir() and path != current]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[KEPT_CACHES:]:
        shutil.rmtree(path, ignore_errors=True)


def _cache_folder(more: Sequence[Path]) -> str | None:
    """The folder for this version's compiled code, or None where none can be written."""
    if numba.config.DISABLE_JIT:
        return None
    root = _cache_root()
    folder = root / _fingerprint(more)
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _forget_old_caches(root, folder)
        return str(folder) if os.access(folder, os.W_OK) else None
    except OSError:
        return None


def jit(function: Function) -> Function:
    """Compile a function of the rules.

    Python never calls it, so it gets no wrapper for that: a quarter of the compile time.
    """
    compiled = numba.njit(
        function, no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy"
    )
    return compiled  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """Compile a small function into its callers: handing an array over costs more than it does."""
    compiled = numba.njit(
        function,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        error_model="numpy",
        forceinline=True,
    )
    return compiled  # type: ignore[no-any-return]


def entries(*sources: Path) -> Callable[[Function], Function]:
    """A decorator like `entry` for code that is compiled from these files as well."""
    folder = _cache_folder(sources)

    def entry(function: Function) -> Function:
        """Compile a function that Python calls, and keep the compiled code on disk."""
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = folder or previous
        try:
            compiled = numba.njit(
                function, cache=folder is not None, nogil=True, error_model="numpy"
            )
        finally:
            numba.config.CACHE_DIR = previous
        return compiled  # type: ignore[no-any-return]

    return entry


entry = entries()
