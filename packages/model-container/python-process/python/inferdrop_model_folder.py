"""Lets code that names `/opt/ml/model` find the model where it lies on this computer.

Python's own file functions are covered, and so what is built on them; a C extension that opens files by itself is not.
"""

import builtins
import functools
import io
import os

PLACE = "/opt/ml/model"
_FUNCTIONS = ("stat", "lstat", "listdir", "scandir", "open", "access")


def show(model_dir):
    """From now on, paths below `/opt/ml/model` mean `model_dir`, unless there really is such a folder."""
    if os.path.isdir(PLACE):
        return

    def moved(path):
        if isinstance(path, int):
            return path
        name = os.fspath(path)
        if isinstance(name, str) and (name == PLACE or name.startswith(PLACE + "/")):
            return model_dir + name[len(PLACE) :]
        return path

    def covering(function):
        @functools.wraps(function)
        def call(path=".", *args, **kwargs):
            return function(moved(path), *args, **kwargs)

        return call

    for name in _FUNCTIONS:
        original = getattr(os, name)
        covered = covering(original)
        # The standard library looks a function up here before it passes options.
        for known in (os.supports_fd, os.supports_dir_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if original in known:
                known.add(covered)
        setattr(os, name, covered)
    builtins.open = io.open = covering(io.open)
