import { expect, test } from 'vitest';
import { checkSyntax } from '../handlers/check-syntax.ts';

test('scripts with an error are named with its line, and no script runs', async () => {
  const errors = await checkSyntax(
    new Map([
      ['code/inference.py', 'import json\n\ndef handler(data, context)\n    return json.dumps({}), "x"\n'],
      ['code/brackets.py', 'x = [1,\n  2\n'],
      ['code/tabs.py', 'if True:\n\tx = 1\n        y = 2\n'],
      ['code/nul.py', 'x = 1\0'],
      ['code/right.py', 'import no_such_package\nraise SystemExit(1)\n'],
      ['code/new.py', 'match x:\n    case [a, *_]: print(f"{a!r:>{10}} {"nested"}")\ntype T[V] = list[V]\n'],
    ]),
  );
  expect(Object.fromEntries(errors)).toEqual({
    'code/inference.py': "line 3: SyntaxError: expected ':': def handler(data, context)",
    'code/brackets.py': "line 1: SyntaxError: '[' was never closed: x = [1,",
    'code/tabs.py': 'line 3: TabError: inconsistent use of tabs and spaces in indentation: y = 2',
    'code/nul.py': expect.stringMatching(/null bytes/),
  });
});

test('where there is no script, Python is not started', async () => {
  expect(await checkSyntax(new Map())).toEqual(new Map());
});
