"""`/opt/ml` is another folder on this computer: for Python's own file functions, and for commands that Python starts."""

import functools
import os
import re
import subprocess

import inferdrop_model_folder

PLACE = "/opt/ml"
_IN_TEXT = re.compile(r"(?<![\w./-])/opt/ml(?![\w.-])")


def show(folder):
    """Returns what maps a path; whatever the computer has at `/opt/ml` is not the job's."""
    moved = inferdrop_model_folder.cover(
        PLACE, folder, inferdrop_model_folder.READING + inferdrop_model_folder.WRITING
    )
    inferdrop_model_folder.cover_pairs(moved)

    def in_command(command):
        if isinstance(command, str):
            return _IN_TEXT.sub(lambda _: folder, command)
        if isinstance(command, (list, tuple)):
            return [in_command(part) if isinstance(part, str) else part for part in command]
        return command

    def covering(function):
        @functools.wraps(function)
        def call(command):
            return function(in_command(command))

        return call

    os.system = covering(os.system)
    start = subprocess.Popen.__init__

    @functools.wraps(start)
    def covered(self, args, *more, **options):
        if options.get("cwd") is not None:
            options["cwd"] = moved(options["cwd"])
        start(self, in_command(args), *more, **options)

    subprocess.Popen.__init__ = covered
    return moved
