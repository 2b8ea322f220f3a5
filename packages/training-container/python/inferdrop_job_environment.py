"""Makes the virtual environment of one job: it sees the packages of this Python, has its commands, and takes what the job installs."""

import os
import re
import site
import sys
import sysconfig
import venv

folder = sys.argv[1]
commands = os.path.join(folder, "bin")
venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)

standard = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
packages = [
    path
    for path in sys.path[1:]
    if os.path.isdir(path) and path not in standard and os.path.basename(path) != "lib-dynload"
]
# Python processes .pth files only of site folders: they bring editable packages, import hooks and further folders.
sites = {*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])}
own = sysconfig.get_path("purelib", "posix_prefix", {"base": folder, "platbase": folder})
with open(os.path.join(own, "_inferdrop_parent.pth"), "w") as file:
    file.writelines(f"import site; site.addsitedir({ascii(path)})\n" for path in packages if path in sites)

# Scripts that pip has installed begin with their interpreter, in one of two forms.
PYTHON_SCRIPT = re.compile(rb"#!(?:[^\n]*python[^\n]*\n|/bin/sh\n'''exec' [^\n]*python[^\n]*\n' '''\n)")
HEADER = f"#!/bin/sh\n'''exec' \"{commands}/python\" \"$0\" \"$@\"\n' '''\n".encode()

places = list(dict.fromkeys(os.path.normpath(os.path.join(path, "..", "..", "..", "bin")) for path in packages))
for place in filter(os.path.isdir, places):
    for entry in os.scandir(place):
        script = os.path.join(commands, entry.name)
        if os.path.lexists(script) or not entry.is_file() or not os.access(entry.path, os.X_OK | os.R_OK):
            continue
        with open(entry.path, "rb") as file:
            if file.read(2) != b"#!":
                continue
            text = b"#!" + file.read()
        header = PYTHON_SCRIPT.match(text)
        if header is None:
            continue
        with open(script, "wb") as file:
            file.write(HEADER + text[header.end() :])
        os.chmod(script, 0o755)

with open(os.path.join(folder, "PATH"), "w") as file:
    file.write(os.pathsep.join([commands, *places]))
