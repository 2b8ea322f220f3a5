import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAM = path.resolve(import.meta.dirname, '..', '..', 'scripts', 'failed-lines.mjs');

/** What the program prints of logs by suite. */
function linesOf(logs: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const folder = temporaryFolder('logs-');
  for (const [suite, lines] of Object.entries(logs))
    writeFileSync(path.join(folder, `${suite}.log`), `${lines.join('\n')}\n`);
  const { stdout } = spawnSync(process.execPath, [PROGRAM, folder, ...Object.keys(logs)], {
    encoding: 'utf8',
  });
  return stdout.trimEnd().split('\n');
}

const passed = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `ok   ${at}`);

test('each failed test of vitest is shown with its difference', () => {
  const account = [
    '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯',
    ' FAIL  test/a.test.ts > adds',
    'AssertionError: expected { a: 1 } to deeply equal { a: 2 }',
    '-   "a": 2,',
    '+   "a": 1,',
    'JSON report written to /build/results.json',
  ];
  const again = ['FAIL test/a.test.ts > adds', '     AssertionError', ...passed(40)];
  expect(linesOf({ 'test:flow': [...passed(300), ...account, ...again] })).toEqual([
    ...['== test:flow failed:', '…'],
    ...account.slice(1, -1),
    '…',
    ...passed(40).slice(-12),
  ]);
});

test('what a check said is shown, however much comes after it', () => {
  const shown = linesOf({
    check: ['src/a.ts', '  3:1  error  Unexpected any', 'FAIL lint (3 s)', ...passed(90)],
  });
  expect(shown).toContain('  3:1  error  Unexpected any');
  expect(shown.at(-1)).toBe('ok   89');
});

test('a suite that says nothing of a failure is shown by its end', () => {
  expect(linesOf({ 'lab package': passed(90) })).toEqual([
    ...['== lab package failed:', '…'],
    ...passed(90).slice(-12),
  ]);
});

test('many failures of many suites take at most 150 lines', () => {
  const log = passed(400).map((line) => `FAIL ${line}`);
  const shown = linesOf(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`suite ${at}`, log])));
  expect(shown.length).toBeLessThanOrEqual(150);
  expect(shown.filter((line) => line.startsWith('== '))).toHaveLength(9);
});
