import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkScripts } from '../handlers/check-scripts.ts';
import { startScript } from './support/pyodide-script.ts';
import MODULES from './support/stdlib-modules.json' with { type: 'json' };

const CHECK = readFileSync(new URL('../handlers/pyodide/python_check.py', import.meta.url), 'utf8');
const NEWEST = 12;

test('scripts with an error are named with its line, and no script runs', async () => {
  const scripts = new Map([
    ['code/inference.py', 'import brackets, nul, new, right, tabs\nraise SystemExit(1)\n'],
    ['code/colon.py', 'def handler(data, context)\n    return json.dumps({}), "x"\n'],
    ['code/brackets.py', 'x = [1,\n  2\n'],
    ['code/tabs.py', 'if True:\n\tx = 1\n        y = 2\n'],
    ['code/nul.py', 'x = 1\0'],
    ['code/right.py', 'import colon\n'],
    ['code/new.py', 'match x:\n    case [a, *_]: print(f"{a!r:>{10}} {"nested"}")\ntype T[V] = list[V]\n'],
    ['code/unused.py', 'x = [1,\n  2\n'],
  ]);
  const files = [...scripts.keys()];
  const findings = await checkScripts({ scripts, files });
  expect(findings.every(({ kind }) => kind === 'syntax')).toBe(true);
  expect(Object.fromEntries(findings.map(({ file, text }) => [file, text]))).toEqual({
    'code/brackets.py': "line 1: SyntaxError: '[' was never closed: x = [1,",
    'code/colon.py': "line 1: SyntaxError: expected ':': def handler(data, context)",
    'code/nul.py': expect.stringMatching(/null bytes/),
    'code/tabs.py': 'line 3: TabError: inconsistent use of tabs and spaces in indentation: y = 2',
  });
  // The same scripts are read once, and a changed one again.
  expect(await checkScripts({ scripts: new Map(scripts), files: [...files] })).toBe(findings);
  expect(await checkScripts({ scripts: new Map([...scripts, ['code/colon.py', '']]), files })).toHaveLength(
    3,
  );
});

test('where there is no script, Python is not started', async () => {
  expect(await checkScripts({ scripts: new Map(), files: [] })).toEqual([]);
});

/** Checks scripts in one process. */
async function checker() {
  const inference = `
import python_check
def handler(data, context):
    asked = data.read().decode()
    answer = python_check.check_text(asked) if asked.startswith('{') else eval(asked)
    return answer, 'application/json'
`;
  const { ask } = await startScript({ 'python_check.py': CHECK, 'inference.py': inference });
  const check = async (script: string, { minor = NEWEST, files = [] as string[], scripts = {} } = {}) => {
    const asked = { scripts: { 'code/inference.py': script, ...scripts }, files, minor };
    const found: { kind: string; text: string; alternative: string }[] = JSON.parse(
      await ask(JSON.stringify(asked)),
    );
    return found.map(({ kind, text, alternative }) =>
      [kind, text.replace('code/inference.py, ', ''), alternative].filter(Boolean).join(' | '),
    );
  };
  return { ask, check };
}

const OTHER_WAY = 'so the script goes the way of its "except ImportError"; on AWS it goes the other';
const NOT_STANDARD =
  "which is not in Python's standard library | pack it into code/lib if it is Python alone";

/** A script, what is found in it, and the image's Python if it isn't the newest. */
const SENTENCES: readonly (readonly [script: string, findings: readonly string[], minor?: number])[] = [
  // Imports.
  ['from __future__ import annotations\nimport json, os.path\nimport requests', []],
  [
    '\nimport imghdr',
    [
      'refused | line 2, imports imghdr, which Python 3.12 of the image has and the Python here (3.14) has not',
    ],
  ],
  ['import distutils', [`refused | line 1, imports distutils, ${NOT_STANDARD}`]],
  [
    'import distutils',
    [
      'refused | line 1, imports distutils, which Python 3.11 of the image has and the Python here (3.14) has not',
    ],
    11,
  ],
  [
    'def handler(data, context):\n    if data:\n        from numpy import array',
    [`refused | line 3, imports numpy, ${NOT_STANDARD}`],
  ],
  [
    'import importlib\nimportlib.import_module("PIL.Image")',
    [`refused | line 2, imports PIL, ${NOT_STANDARD}`],
  ],
  ['import msvcrt', [`refused | line 1, imports msvcrt, ${NOT_STANDARD}`]],
  [
    'import tomllib',
    ['damage | line 1: Python 3.10 of the image has no tomllib (since 3.11), so that AWS fails on it'],
    10,
  ],
  ['import tomllib', []],
  [
    'import zoneinfo',
    ['refused | line 1, imports zoneinfo, and the Python here has no time zones | pack tzdata into code/lib'],
  ],
  // Imports that a script does without.
  [
    'try:\n    import numpy\nexcept ImportError:\n    numpy = None',
    [`remark | line 2: numpy is not here, ${OTHER_WAY} if the image has numpy`],
  ],
  [
    'try:\n    import pwd\nexcept (ImportError, KeyError):\n    import numpy',
    [`remark | line 2: pwd is not here, ${OTHER_WAY}`, `refused | line 4, imports numpy, ${NOT_STANDARD}`],
  ],
  ['try:\n    import json\nexcept ImportError:\n    import simplejson as json', []],
  [
    'from contextlib import suppress\nwith suppress(ImportError):\n    import numpy',
    [`remark | line 3: numpy is not here, ${OTHER_WAY} if the image has numpy`],
  ],
  ['try:\n    import numpy\nexcept KeyError: pass', [`refused | line 2, imports numpy, ${NOT_STANDARD}`]],
  [
    'try:\n    import tomllib\nexcept ImportError:\n    import tomli as tomllib',
    [
      'remark | line 2: Python 3.10 of the image has no tomllib (since 3.11), so that on AWS the script goes the way ' +
        'of its "except ImportError"; here it goes the other',
    ],
    10,
  ],
  ['import sys\nif sys.version_info >= (3, 11):\n    import tomllib\nelse:\n    import tomli', [], 10],
  ['from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy', []],
  ['if __name__ == "__main__":\n    import numpy', []],
  ['\ufeffimport json', []],
  [`x = ${'1 + '.repeat(3_000)}1`, ['remark | line 1: the script is nested too deeply to be checked']],
  [`x = [${'-1.5, '.repeat(3_000)}]\nimport cv2`, [`refused | line 2, imports cv2, ${NOT_STANDARD}`]],
  // Threads and processes.
  [
    'import threading as t\ndef handler(data, context):\n    t.Thread(target=print).start()',
    ['refused | line 3, starts a thread, and there are none in the Python here'],
  ],
  [
    'from threading import Thread\nclass Worker(Thread): pass',
    ['refused | line 2, starts a thread, and there are none in the Python here'],
  ],
  ['import threading\nlock = threading.Lock()\nclass Thread: pass\nThread()', []],
  [
    'from multiprocessing import Pool\nPool(2)',
    ['refused | line 2, starts a process, and there are none in the Python here'],
  ],
  [
    'import subprocess\ntry:\n    subprocess.run(["id"])\nexcept OSError: pass',
    ['remark | line 3, starts a process, and there are none in the Python here'],
  ],
  ['from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor(4)', []],
  [
    'memoryview(b"12345678").cast("l")',
    ["refused | line 1, casts memory to C's long, which has 4 bytes here and 8 in the image"],
  ],
  // What differs without a word.
  [
    'import platform\nprint(platform.machine())',
    ['remark | line 2, reads platform.machine(), which is wasm32 here'],
  ],
  ['import sys\nprint(sys.platform)', ['remark | line 2, reads sys.platform, which is emscripten here']],
  // Syntax.
  [
    'try: pass\nexcept KeyError, ValueError: pass',
    [
      'damage | line 2: Python 3.12 of the image does not know "except KeyError, ValueError: pass" (since 3.14), so that AWS fails on it',
    ],
  ],
  [
    'def f[T=int](): pass',
    [
      'damage | line 1: Python 3.10 of the image does not know "def f[T=int](): pass" (since 3.13), so that AWS fails on it',
    ],
    10,
  ],
  [
    'match x:\n  case 1: pass\ntry: pass\nexcept* OSError: pass',
    [
      'damage | line 4: Python 3.10 of the image does not know "except* OSError: pass" (since 3.11), so that AWS fails on it',
    ],
    10,
  ],
  [
    'a = f"{x["k"]}"',
    [
      'damage | line 1: Python 3.11 of the image does not know "a = f"{x["k"]}"" (since 3.12), so that AWS fails on it',
    ],
    11,
  ],
  [
    'a = f"{x!r} {y["k"]}"\nb = f\'{"".join(z)}\'\nc = f"""{x["k"]}"""\nd = f"{\'\\n\'.join(x)}"',
    [
      expect.stringMatching(/^damage \| line 1: .*\(since 3\.12\)/),
      expect.stringMatching(/^damage \| line 4: .*\(since 3\.12\)/),
    ] as unknown as string[],
    10,
  ],
  ['a = f"{x!r} \\" \\n {y:{w}}" f\'{"a"}\'\nb = f"{f\'{x}\'}"', [], 10],
  [
    'x[*a]\ny[(*a,)]',
    ['damage | line 1: Python 3.10 of the image does not know "x[*a]" (since 3.11), so that AWS fails on it'],
    10,
  ],
  ['x[*a]\nf"{x["k"]}"\ntype T = int\nmatch x:\n  case 1: pass', []],
  // Annotations.
  [
    'def f(x: List) -> int: pass',
    [
      'damage | line 1: Python 3.12 of the image computes the annotation List, which is not there yet (since 3.14 it ' +
        'need not be), so that AWS fails on it',
    ],
  ],
  [
    'class Node:\n    next: int\n    def follow(self) -> Node: pass',
    [
      expect.stringContaining('line 3: Python 3.12 of the image computes the annotation Node'),
    ] as unknown as string[],
  ],
  ['from __future__ import annotations\ndef f(x: List): pass', []],
  ['from __future__ import division, annotations\ndef f(x: List): pass', []],
  ['import json; x: json = 1', []],
  [
    'match 3:\n  case int() as kind: pass\ndef f(x: kind, y: (lambda u: u), z: [q for q in ""]): pass\nclass A:\n  x: __qualname__',
    [],
  ],
  [
    'from typing import List\nclass A: pass\ndef f(x: List[A], *y: "B", z: str | None = None) -> A:\n    w: C = ' +
      '1\ndef g[T](x: T) -> T: pass\nclass D[T]:\n  def f(self, x: T): pass',
    [],
  ],
];

test('each sentence, for a script that calls for it', async () => {
  const { check } = await checker();
  const found: unknown[] = [];
  for (const [script, , minor = NEWEST] of SENTENCES) found.push([script, await check(script, { minor })]);
  expect(found).toEqual(SENTENCES.map(([script, findings]) => [script, findings]));
});

test('modules of the archive come first, and are read too', async () => {
  const { check } = await checker();
  const files = ['code/inference.py', 'code/images.py', 'code/own/part.py', 'code/lib/numpy/__init__.py'];
  const scripts = { 'code/images.py': 'import own, cv2\nfrom . import inference\n' };
  expect(await check('import numpy, images, own.part', { files, scripts })).toEqual([
    `refused | code/images.py, line 1, imports cv2, ${NOT_STANDARD}`,
  ]);
  const zones = ['code/inference.py', 'code/lib/tzdata/__init__.py'];
  expect(await check('import zoneinfo', { files: zones })).toEqual([]);
});

test('the modules of Python 3.10 to 3.13 are those of 3.14, with the differences that the check knows', async () => {
  const { ask } = await checker();
  const names = async (minor: number): Promise<string[]> =>
    JSON.parse(
      await ask(`python_check.json.dumps(sorted(one for one in {*python_check.sys.stdlib_module_names, *python_check.UNTIL, 'msilib'}
        if not one.startswith('_') and python_check.UNTIL.get(one, 99) >= ${minor} >= python_check.SINCE.get(one, 0)))`),
    );
  const { all, ...versions } = MODULES;
  for (const [version, more] of Object.entries(versions)) {
    const minor = Number(version.slice(2));
    const own = minor < 13 ? await names(minor) : (await names(minor)).filter((one) => one !== 'msilib');
    expect(own, version).toEqual([...all, ...more].sort());
  }
});

test('remarks are in the log of the script that starts', async () => {
  const script = `
try:
    import numpy
except ImportError:
    numpy = None

def handler(data, context):
    return repr(numpy), 'text/plain'
`;
  const { ask, lines } = await startScript({ 'inference.py': script });
  expect(await ask()).toBe('None');
  expect(lines).toContain(
    `code/inference.py, line 3: numpy is not here, ${OTHER_WAY} if the image has numpy`,
  );
});
