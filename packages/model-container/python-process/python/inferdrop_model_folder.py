"""Lets code that names a folder of the container find it where it lies on this computer.

Python's own file functions are covered, and so what is built on them; a C extension that opens files by itself is not.
"""

import builtins
import functools
import io
import os

PLACE = "/opt/ml/model"
READING = ("stat", "lstat", "listdir", "scandir", "open", "access")
WRITING = ("mkdir", "rmdir", "remove", "unlink", "chmod", "chown", "utime", "truncate", "chdir", "readlink", "mkfifo", "statvfs")
# Not on every system.
_EXTENDED = ("listxattr", "getxattr", "setxattr", "removexattr")
WRITING += tuple(name for name in _EXTENDED if hasattr(os, name))
_PAIRS = ("rename", "replace", "link", "symlink")


def show(model_dir):
    """From now on, paths below `/opt/ml/model` mean `model_dir`, unless there really is such a folder."""
    if not os.path.isdir(PLACE):
        cover(PLACE, model_dir, READING)


def cover(place, folder, functions):
    """From now on, paths below `place` mean `folder` to these functions of `os`, and to `open`; returns what maps a path."""

    def moved(path):
        if isinstance(path, int):
            return path
        name = os.fspath(path)
        if isinstance(name, str) and (name == place or name.startswith(place + "/")):
            return folder + name[len(place) :]
        return path

    def covering(function):
        @functools.wraps(function)
        def call(path=".", *args, **kwargs):
            return function(moved(path), *args, **kwargs)

        return call

    for name in functions:
        _put(name, covering(getattr(os, name)))
    builtins.open = io.open = covering(io.open)
    return moved


def cover_pairs(moved):
    """The same for the functions of `os` that take two paths."""

    def covering(function):
        @functools.wraps(function)
        def call(src, dst, *args, **kwargs):
            return function(moved(src), moved(dst), *args, **kwargs)

        return call

    for name in _PAIRS:
        _put(name, covering(getattr(os, name)))


def _put(name, covered):
    original = getattr(os, name)
    # The standard library looks a function up here before it passes options.
    for known in (os.supports_fd, os.supports_dir_fd, os.supports_follow_symlinks, os.supports_effective_ids):
        if original in known:
            known.add(covered)
    setattr(os, name, covered)
