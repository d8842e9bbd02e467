"""Copying entries between arrays: a loop is compiled to vector code, an array assignment is not."""

from tenefyr_env.engine.jit import inlined


@inlined
def copy_entries(source, target, first):
    """Write all entries of one array into another, from place `first` on."""
    for index in range(len(source)):
        target[first + index] = source[index]
