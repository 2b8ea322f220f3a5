"""Reads an archive's scripts, without running them, for what the image's Python takes otherwise than the Python here.

Findings are `damage` (AWS fails on it), `refused` (it cannot run here) and `remark` (it runs, and may go another way here).
"""

import ast
import builtins
import collections
import importlib.util
import io
import json
import os
import platform
import re
import sys
import sysconfig
import tokenize
import warnings

ENTRY = "code/inference.py"
HERE = sys.version_info.minor
# Modules by the minor version that had them last, or first (What's New in Python 3.11 to 3.14).
UNTIL = {
    "binhex": 10,
    **dict.fromkeys("asynchat asyncore distutils imp smtpd".split(), 11),
    **dict.fromkeys(
        "aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap nis nntplib ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib".split(),
        12,
    ),
}
SINCE = {"tomllib": 11, "annotationlib": 14, "compression": 14}
_WINDOWS = {"msvcrt", "nt", "winreg", "winsound"}
_ADDED = {"requests", "__future__"}

_THREADS = {
    "_thread.start_new_thread",
    "multiprocessing.dummy.Pool",
    "multiprocessing.dummy.Process",
    "multiprocessing.pool.ThreadPool",
    "threading.Thread",
    "threading.Timer",
}
_PROCESSES = {
    *(f"subprocess.{one}" for one in "Popen call check_call check_output getoutput getstatusoutput run".split()),
    *(f"os.{one}" for one in "fork forkpty popen posix_spawn posix_spawnp system".split()),
    *(f"os.{one}" for one in dir(os) if one.startswith(("exec", "spawn"))),
    *(
        f"multiprocessing.{one}"
        for one in "Array Barrier Condition Event JoinableQueue Lock Manager Pool Process Queue RLock Semaphore SimpleQueue Value get_context".split()
    ),
    "asyncio.create_subprocess_exec",
    "asyncio.create_subprocess_shell",
    "concurrent.futures.ProcessPoolExecutor",
    "concurrent.futures.process.ProcessPoolExecutor",
}
_MACHINE = {
    "sys.platform": lambda: sys.platform,
    "os.uname": lambda: os.uname().machine,
    "sysconfig.get_platform": sysconfig.get_platform,
    **{f"platform.{one}": getattr(platform, one) for one in "machine platform processor python_version release system".split()},
    "platform.uname": platform.machine,
}
_CATCH_IMPORT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def check(scripts, files, minor):
    """Findings in the script of an archive, and in the modules next to it that it imports.

    `scripts` has texts by name, `files` all names of the archive; Python 3.`minor` is the image's.
    """
    own = {part[-1].removesuffix(".py") if len(part) == 1 else part[0] for part in map(_below_code, files) if part}
    findings, waiting, seen = [], [ENTRY], set()
    while waiting:
        file = waiting.pop(0)
        if file in seen or file not in scripts:
            continue
        seen.add(file)
        text = scripts[file].removeprefix("\ufeff")
        walk = _Walk(file, minor, own)
        try:
            tree = _parse(walk, text)
            if tree is not None:
                walk.read(tree)
                _judge_syntax(walk, text, tree)
                _judge_annotations(walk, text, tree)
        except RecursionError:
            walk.add("remark", 1, "the script is nested too deeply to be checked")
        findings += sorted(walk.findings, key=lambda one: one["line"])
        waiting += [f"code/{name}.py" for name in sorted(walk.imported)]
    return findings


def check_text(asked):
    """The same for a request and an answer in JSON."""
    return json.dumps(check(**json.loads(asked)))


def check_folder(folder, minor):
    """The same for an unpacked archive."""
    code = os.path.join(folder, "code")
    lib = os.path.join(code, "lib")
    names = os.listdir(code)
    scripts = {}
    for name in names:
        if name.endswith(".py") and os.path.isfile(os.path.join(code, name)):
            with open(os.path.join(code, name), encoding="utf-8", errors="replace") as file:
                scripts[f"code/{name}"] = file.read()
    packed = os.listdir(lib) if os.path.isdir(lib) else []
    return check(scripts, [*(f"code/{name}" for name in names), *(f"code/lib/{name}" for name in packed)], minor)


def _below_code(name):
    parts = name.split("/")
    if parts[0] != "code" or len(parts) < 2:
        return None
    return parts[2:] if parts[1] == "lib" else parts[1:]


def _parse(walk, text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, walk.file, "exec", dont_inherit=True)
            _refuse_depth(text)
            return ast.parse(text, walk.file)
    except SyntaxError as error:
        code = (error.text or "").strip()
        reason = f"line {error.lineno}: {type(error).__name__}: {error.msg}" + (f": {code[:200]}" if code else "")
    except ValueError as error:
        reason = str(error)
    walk.findings.append({"kind": "syntax", "file": walk.file, "line": 0, "text": reason, "alternative": ""})
    return None


def _refuse_depth(text):
    """Raises RecursionError for a statement whose tree would be deeper than the stack of JavaScript, which ends the process."""
    chained = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE or token.string == ",":
            chained = 0
        elif token.type == tokenize.OP and token.string in ".+-*/%|&@":
            chained += 1
            if chained > 1500:
                raise RecursionError


class _Walk(ast.NodeVisitor):
    def __init__(self, file, minor, own):
        self.file, self.minor, self.own = file, minor, own
        self.findings, self.imported = [], set()
        self.names = {}
        self.try_depth = self.caught_imports = self.misses = 0

    def read(self, tree):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for one in node.names:
                    self.names[one.asname or one.name.split(".")[0]] = one.name if one.asname else one.name.split(".")[0]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                for one in node.names:
                    self.names[one.asname or one.name] = f"{node.module}.{one.name}"
        self.visit(tree)

    def add(self, kind, node, text, alternative="", mark=": "):
        line = getattr(node, "lineno", node)
        found = {"kind": kind, "file": self.file, "line": line, "text": f"{self.file}, line {line}{mark}{text}", "alternative": alternative}
        # A chained call reads the same thing twice.
        if found not in self.findings:
            self.findings.append(found)

    def path(self, node):
        """The dotted name of what an expression reads, by the imports."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            before = self.path(node.value)
            return before and f"{before}.{node.attr}"
        return None

    def each(self, nodes):
        for node in nodes:
            self.visit(node)

    # Branches.

    def visit_If(self, node):
        names = {self.path(one) for one in ast.walk(node.test) if isinstance(one, (ast.Name, ast.Attribute))}
        texts = {one.value for one in ast.walk(node.test) if isinstance(one, ast.Constant)}
        if "sys.version_info" in names:
            return
        self.visit(node.test)
        # Only type checkers, and only a script started by hand, go there.
        if not names & {"typing.TYPE_CHECKING", "TYPE_CHECKING"} and "__main__" not in texts:
            self.each(node.body)
        self.each(node.orelse)

    def visit_Try(self, node):
        caught = {self.path(one) for handler in node.handlers for one in ast.walk(handler.type or ast.Name("Exception")) if isinstance(one, ast.Name)}
        catches = bool(caught & _CATCH_IMPORT)
        self.try_depth += 1
        self.caught_imports += catches
        misses = self.misses
        self.each(node.body)
        self.try_depth -= 1
        self.caught_imports -= catches
        # Nothing fails here that the handlers would be for.
        if not (catches and self.misses == misses and any(isinstance(one, (ast.Import, ast.ImportFrom)) for one in node.body)):
            self.each(node.handlers)
        self.each(node.orelse + node.finalbody)

    visit_TryStar = visit_Try

    def visit_With(self, node):
        called = [one.context_expr for one in node.items if isinstance(one.context_expr, ast.Call)]
        names = {self.path(name) for one in called for name in one.args if self.path(one.func) == "contextlib.suppress"}
        self.try_depth += bool(names)
        self.caught_imports += bool(names & _CATCH_IMPORT)
        self.generic_visit(node)
        self.try_depth -= bool(names)
        self.caught_imports -= bool(names & _CATCH_IMPORT)

    # Imports.

    def visit_Import(self, node):
        for one in node.names:
            self.judge(node, one.name.split(".")[0])

    def visit_ImportFrom(self, node):
        if node.level == 0:
            self.judge(node, node.module.split(".")[0])

    def judge(self, node, name):
        if name in self.own:
            self.imported.add(name)
            return
        if name in _ADDED:
            return
        is_known = name in sys.stdlib_module_names and name not in _WINDOWS
        is_here = is_known and importlib.util.find_spec(name) is not None
        in_image = self.minor <= UNTIL[name] if name in UNTIL else is_known and self.minor >= SINCE.get(name, 0)
        other_way = 'the script goes the way of its "except ImportError"'
        if is_here and not in_image:
            lacks = f"Python 3.{self.minor} of the image has no {name} (since 3.{SINCE[name]})"
            if self.caught_imports:
                self.add("remark", node, f"{lacks}, so that on AWS {other_way}; here it goes the other")
            else:
                self.add("damage", node, f"{lacks}, so that AWS fails on it")
        elif is_here and name == "zoneinfo" and "tzdata" not in self.own:
            self.refuse(node, "imports zoneinfo, and the Python here has no time zones", "pack tzdata into code/lib")
        elif not is_here:
            self.misses += 1
            if self.caught_imports:
                condition = "" if in_image else f" if the image has {name}"
                self.add("remark", node, f"{name} is not here, so {other_way}; on AWS it goes the other{condition}")
            elif in_image:
                self.add("refused", node, f"imports {name}, which Python 3.{self.minor} of the image has and the Python here (3.{HERE}) has not", mark=", ")
            else:
                alternative = "pack it into code/lib if it is Python alone"
                self.add("refused", node, f"imports {name}, which is not in Python's standard library", alternative, ", ")

    def refuse(self, node, text, alternative=""):
        self.add("remark" if self.try_depth else "refused", node, text, alternative, ", ")

    # What it calls and reads.

    def visit_Call(self, node):
        name = self.path(node.func)
        first = node.args[0] if node.args else None
        text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
        if name in ("importlib.import_module", "__import__") and text:
            self.judge(node, text.split(".")[0])
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "cast" and text and text.lstrip("@") in ("l", "L", "n", "N", "P"):
            self.refuse(node, "casts memory to C's long, which has 4 bytes here and 8 in the image")
        self.judge_start(node, name)
        self.generic_visit(node)

    def visit_ClassDef(self, node):
        for base in node.bases:
            self.judge_start(base, self.path(base))
        self.generic_visit(node)

    def judge_start(self, node, name):
        for kind, names in (("thread", _THREADS), ("process", _PROCESSES)):
            if name in names:
                self.refuse(node, f"starts a {kind}, and there are none in the Python here")

    def visit_Attribute(self, node):
        self.judge_read(node)
        self.generic_visit(node)

    def visit_Name(self, node):
        self.judge_read(node)

    def judge_read(self, node):
        name = self.path(node)
        if name in _MACHINE:
            shown = name if name == "sys.platform" else f"{name}()"
            self.add("remark", node, f"reads {shown}, which is {_MACHINE[name]()} here", mark=", ")


def _judge_syntax(walk, text, tree):
    """Forms that the image's Python does not know."""
    minor = walk.minor
    lines = text.splitlines()

    def damage(line, since):
        code = lines[line - 1].strip()[:100]
        walk.add("damage", line, f'Python 3.{minor} of the image does not know "{code}" (since 3.{since}), so that AWS fails on it')

    line = _refused_line(text, minor)
    if line is not None:
        damage(line, next(since for since in range(minor + 1, HERE + 1) if _refused_line(text, since) != line))
    # What a parser of 3.14 takes for older versions, too.
    if minor < 12:
        for line in _lines_of_newer_strings(text):
            damage(line, 12)
    if minor < 11:
        for node in ast.walk(tree):
            spread = getattr(getattr(node, "slice", None), "elts", None) or [getattr(node, "annotation", None)]
            if any(isinstance(one, ast.Starred) for one in spread):
                if isinstance(node, ast.arg) or not ast.get_source_segment(text, node.slice).startswith("("):
                    damage(node.lineno, 11)


def _refused_line(text, minor):
    try:
        ast.parse(text, feature_version=(3, minor))
        return None
    except SyntaxError as error:
        return error.lineno


def _lines_of_newer_strings(text):
    """Lines of f-strings that before 3.12 ended at a quote of an expression, or failed at its backslash or comment."""
    quotes, found = [], set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        outer = quotes
        if kind == "FSTRING_START":
            outer = quotes[:]
            quotes.append(token.string.lstrip("fFrR"))
        elif kind == "FSTRING_END":
            quotes.pop()
        elif kind == "FSTRING_MIDDLE":
            outer = quotes[:-1]
        if any(one in token.string or kind == "NL" and len(one) == 1 for one in outer) or outer and (kind == "COMMENT" or "\\" in token.string):
            found.add(token.start[0])
    return sorted(found)


def _judge_annotations(walk, text, tree):
    """Annotations of what is not there yet: before 3.14 they are computed when their function or class is made."""
    imported = {(node.module, one.name) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names}
    if ("__future__", "annotations") in imported or any(name == "*" for _, name in imported) or walk.minor >= 14:
        return
    bound = dict.fromkeys(dir(builtins), 0)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names, line = [node.name], node.end_lineno
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names, line = [node.id], node.lineno - 1
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names, line = [one.asname or one.name.split(".")[0] for one in node.names], node.lineno - 1
        else:
            continue
        for name in names:
            bound[name] = min(bound.get(name, sys.maxsize), line)
    found = [one for annotation in _computed_annotations(tree) for one in ast.walk(annotation) if isinstance(one, ast.Name)]
    read = collections.Counter(one.id for one in found)
    for one in found:
        # Parameters, patterns and type parameters bind names, too: of another name, only one that nothing else mentions is missing.
        is_alone = not one.id.startswith("__") and len(re.findall(rf"\b{one.id}\b", text)) == read[one.id]
        if bound.get(one.id, sys.maxsize if is_alone else 0) >= one.lineno:
            missing = f"Python 3.{walk.minor} of the image computes the annotation {one.id}, which is not there yet (since 3.14 it need not be), so that AWS fails on it"
            walk.add("damage", one, missing)


def _computed_annotations(tree):
    """Those outside of the bodies of functions, with those of variables."""
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            own = node.args
            given = [*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg]
            for annotation in [node.returns, *(one.annotation for one in given if one)]:
                if annotation is not None and not node.type_params:
                    yield annotation
        elif isinstance(node, ast.AnnAssign):
            yield node.annotation
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
