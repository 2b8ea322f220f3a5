import { compareByteOrder } from '../text/byte-order.ts';

/** Modules of the standard library that Pyodide has (Python 3.14); a test compares the list with Pyodide. */
export const PYODIDE_MODULES: ReadonlySet<string> = new Set(
  (
    'abc annotationlib antigravity argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 cProfile ' +
    'calendar cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser ' +
    'contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis doctest email encodings ' +
    'enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass ' +
    'gettext glob graphlib gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json ' +
    'keyword linecache locale logging lzma mailbox marshal math mimetypes mmap modulefinder multiprocessing netrc ' +
    'ntpath nturl2path numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib ' +
    'poplib posix posixpath pprint profile pstats pty py_compile pyclbr pydoc pyexpat queue quopri random re reprlib ' +
    'rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver ' +
    'sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess symtable sys ' +
    'sysconfig tabnanny tarfile tempfile termios textwrap this threading time timeit token tokenize tomllib trace ' +
    'traceback tracemalloc tty types typing unicodedata unittest urllib uuid warnings wave weakref webbrowser wsgiref ' +
    'xml xmlrpc zipapp zipfile zipimport zlib zoneinfo'
  ).split(' '),
);
/** Modules that the process with the script adds. */
const ADDED = ['requests', '__future__'];

/** An import that runs in any case: it begins its line. */
const IMPORTED = /^(?:from[ \t]+([A-Za-z_]\w*)|import[ \t]+([^\n#;]+))/gm;

/**
 * Packages that the scripts of a TensorFlow archive need, and that Pyodide does not have: from code/requirements.txt, and imports
 * found neither in the standard library nor in the archive. An import in a branch or a function is left to the run.
 */
export function missingInPyodide({
  files,
  scripts,
}: {
  readonly files: readonly string[];
  readonly scripts: ReadonlyMap<string, string>;
}): readonly string[] {
  const own = new Set(
    files.flatMap((file) => /^code\/(?:lib\/)?([A-Za-z_]\w*)(?:\/|\.py$)/.exec(file)?.[1] ?? []),
  );
  const wanted = importsOf(scripts.get('code/inference.py') ?? '');
  const unknown = wanted.filter(
    (name) => !PYODIDE_MODULES.has(name) && !own.has(name) && !ADDED.includes(name),
  );
  // With code/lib the container installs nothing.
  const asked = files.some((file) => file.startsWith('code/lib/'))
    ? []
    : requirementsOf(scripts.get('code/requirements.txt') ?? '');
  return [...new Set([...asked, ...unknown])].sort(compareByteOrder);
}

/** Why Pyodide wouldn't run the scripts of an archive; each reason names the change to make. */
export function pyodideProblems(archive: Parameters<typeof missingInPyodide>[0]): readonly string[] {
  const missing = missingInPyodide(archive);
  if (missing.length === 0) return [];
  return [
    `has a script that needs ${missing.join(', ')}, and functions run scripts in Pyodide with Python's standard ` +
      'library: pack only modules of Python into code/lib/',
  ];
}

/** First names of the modules that a script imports at the beginning of a line. */
function importsOf(script: string): readonly string[] {
  return [...withoutTexts(script).matchAll(IMPORTED)].flatMap(([, from, list = '']) =>
    from === undefined ? list.split(',').flatMap((one) => /^\s*([A-Za-z_]\w*)/.exec(one)?.[1] ?? []) : [from],
  );
}

/** Documentation and other texts of several lines may begin a line with anything. */
function withoutTexts(script: string): string {
  return script
    .split(/"""|'''/)
    .filter((_part, at) => at % 2 === 0)
    .join('""');
}

/** Lines of requirements.txt that name a package which the process with the script does not have. */
function requirementsOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*/s, '').trim())
    .filter((line) => line !== '' && !line.startsWith('-') && !/^requests\s*(?:[=<>!~;[]|$)/i.test(line));
}
