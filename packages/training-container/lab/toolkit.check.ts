import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { buildEnvironment } from '@inferdrop/model-container/internal/build-environment';
import { splitHyperparameters } from '../hyperparameters.ts';
import { scriptArguments } from '../script-arguments.ts';
import { CASES, type ToolkitCase } from '../test/toolkit/cases.ts';
import { toVariables } from '../test/toolkit/to-variables.ts';

interface Answer {
  readonly variables: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
}

let python: string;

/** AWS's own toolkit says what hosts are told; it is an sdist with a C extension and builds in a minute. */
beforeAll(async () => {
  const dir = join(process.env['INFERDROP_CACHE'] ?? '', 'sagemaker-training-5.1.4');
  python = await buildEnvironment({ dir, install: ['sagemaker-training==5.1.4'] });
});

function askToolkit(cases: readonly ToolkitCase[]): readonly Answer[] {
  const script = fileURLToPath(new URL('../test/toolkit/environments.py', import.meta.url));
  const { stdout, stderr, status } = spawnSync(python, [script], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly Answer[];
}

test('the committed answers are the toolkit’s of today', async () => {
  const committed: unknown = JSON.parse(
    await readFile(new URL('../test/toolkit/environments.json', import.meta.url), 'utf8'),
  );
  expect(askToolkit(CASES)).toEqual(committed);
});

test('variables and arguments of drawn hyperparameters are byte for byte the toolkit’s', () => {
  const number = fc.oneof(fc.integer(), fc.double(), fc.float()).map((value) => String(value));
  const text = fc
    .string({ unit: 'binary', maxLength: 8 })
    .filter((value) => value.isWellFormed() && !value.includes('\0'));
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value));
  const hyperparameters = fc.dictionary(
    text.filter((name) => !name.includes('=') && name !== '__proto__'),
    fc.oneof(number, text, json).filter((value) => !/\\u0000|\\ud[89a-f]/i.test(value)),
    { maxKeys: 6 },
  );
  const [first] = CASES;
  if (first === undefined) throw new Error('there are cases');
  const cases = fc
    .sample(hyperparameters, { numRuns: 500, seed: 7 })
    .map((drawn) => ({ ...first, hyperparameters: drawn }));
  for (const [at, answer] of askToolkit(cases).entries()) {
    const one = cases[at] ?? first;
    expect(toVariables(one)).toEqual(answer.variables);
    expect(scriptArguments(splitHyperparameters(one.hyperparameters).user)).toEqual(answer.arguments);
  }
});
