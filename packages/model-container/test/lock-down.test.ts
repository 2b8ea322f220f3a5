import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { behind, isolation, restrictedPyodide } from '../handlers/sandbox.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ENTRY = fileURLToPath(new URL('./locked-down-attacker.ts', import.meta.url));
const LOCK_DOWN = fileURLToPath(new URL('../handlers/lock-down.ts', import.meta.url));

/** What the attacker's attempts came back with. */
async function attack(prefix: readonly string[]) {
  const outside = join(temporaryFolder('outside-'), 'file');
  const { command, args } = behind(prefix, restrictedPyodide(ENTRY, [ENTRY, dirname(LOCK_DOWN)]));
  const { stdout } = await promisify(execFile)(command, [...args, outside, '1', String(process.pid)], {
    env: {},
  });
  expect(existsSync(outside)).toBe(false);
  return JSON.parse(stdout) as Record<'results' | 'isolated', Record<string, string>> & {
    variables: string[];
  };
}

test('all of JavaScript in hand, a script gets out of its process by nothing', async () => {
  const { results, variables } = await attack([]);
  expect(Object.keys(results)).toHaveLength(24);
  for (const [name, result] of Object.entries(results)) expect(`${name}: ${result}`).toMatch(/: refused: /);
  expect(variables).toEqual([]);
});

test('where the machine has namespaces, not by functions from before either', async () => {
  const prefix = await isolation();
  if (prefix.length === 0) return;
  const { results, isolated } = await attack(prefix);
  for (const [name, result] of Object.entries({ ...results, ...isolated }))
    expect(`${name}: ${result}`).toMatch(/: refused: /);
});

test('a folder that the flags cannot name is refused', () => {
  expect(() => restrictedPyodide(ENTRY, ['/home/*/model'])).toThrow('move it');
});
