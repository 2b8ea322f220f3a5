import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ACTION = readFileSync('action/action.yml', 'utf8');
const names = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name!));

/** Variables of every job (docs.github.com, "Variables reference"). */
const GIVEN = /^(GITHUB|RUNNER)_/;

test('every input that a step uses is declared, and every declared one is used', () => {
  const [head = ''] = ACTION.split('\nruns:');
  const declared = names(head.split('\noutputs:')[0]!, /^ {2}([a-z-]+):$/gm);
  expect(names(ACTION, /inputs\.([a-z-]+)/g)).toEqual(declared);
});

test('every variable that a script reads is given to it, and no input stands in a command', () => {
  const given = names(ACTION, /^ {8}([A-Z_]+):/gm);
  for (const file of readdirSync('action').filter((name) => name.endsWith('.ts'))) {
    const read = names(readFileSync(`action/${file}`, 'utf8'), /read\('([A-Z_]+)'\)/g);
    for (const name of read) if (!GIVEN.test(name)) expect(given).toContain(name);
  }
  for (const [, command] of ACTION.matchAll(/^ {6}run: (.*)$/gm)) expect(command).not.toContain('${{');
});

test('the workflow of the example gives inputs that there are', () => {
  const workflow = readFileSync('.github/workflows/accuracy.yml', 'utf8');
  const given = names(workflow.split('uses: ./action')[1]!, /^ {10}([a-z-]+):/gm);
  const declared = names(ACTION, /^ {2}([a-z-]+):$/gm);
  expect([...given].filter((name) => !declared.has(name))).toEqual([]);
  expect(given.size).toBeGreaterThan(2);
});
