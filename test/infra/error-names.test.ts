import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { CONDITIONS } from '../../src/problem/conditions.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Names that no code of ours gives, and who does. */
const FOREIGN: Readonly<Record<string, string>> = {
  'Sandbox.Timedout': 'Lambda: the function ran into its time-out',
  'Runtime.OutOfMemory': 'Lambda: the function has used all of its memory',
  'Runtime.ExitError': 'Lambda: the process of the function ended, as under a signal',
  SlowDown: 'S3: too many requests for a prefix (503)',
  RequestTimeout: 'S3: a body came too slowly (400)',
  TimeoutError: 'AWS SDK for JavaScript: its HTTP handler’s time-outs and broken connections',
};

/** Errors that no step throws: the base class, what the HTTP API answers, what a container said, and what its own file catches. */
const ELSEWHERE = new Set([
  'Condition',
  'ContainerError',
  'RequestProblem',
  'TableRefused',
  'Unreadable',
  'ValueUnreadable',
]);

const sources = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('cli'))
    .map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8'));

/** Every `ErrorEquals` of a state machine's retries, Distributed Map children included. */
function retriedNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(retriedNames);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'Retry' ? child.flatMap((retry: any) => retry.ErrorEquals) : retriedNames(child),
  );
}

function machines(): unknown[] {
  const folder = path.join(ROOT, 'statemachines');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.asl.yml'))
    .map((file) => parse(readFileSync(path.join(folder, file), 'utf8')));
}

const retried = new Set(machines().flatMap(retriedNames));

it('a state machine retries only names that are thrown', () => {
  const unknown = [...retried].filter(
    (name) => !/^(States|Lambda|StepFunctions)\./.test(name) && !(name in FOREIGN) && !(name in CONDITIONS),
  );
  expect(unknown).toEqual([]);
});

/** The retriers of Lambda's own errors, which every task has alike. */
function lambdaRetriers(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(lambdaRetriers);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'Retry'
      ? child
          .filter((retry: any) => retry.ErrorEquals[0].startsWith('Lambda.'))
          .map((retry: unknown) => JSON.stringify(retry))
      : lambdaRetriers(child),
  );
}

it('all machines try again alike', () => {
  expect(new Set(machines().flatMap(lambdaRetriers)).size).toBe(2);
});

it('what passes is retried, and what does not is not', () => {
  for (const [name, { fate }] of Object.entries(CONDITIONS)) {
    expect([name, retried.has(name)]).toEqual([name, fate === 'retried']);
  }
});

it('no error of src and functions has a name that the table of conditions lacks', () => {
  const own = [...sources('src'), ...sources('functions')].flatMap((text) =>
    Array.from(text.matchAll(/class (\w+) extends Error|error\.name = '(\w+)'/g), ([, a, b]) => a ?? b ?? ''),
  );
  expect(own.filter((name) => !ELSEWHERE.has(name)).sort()).toEqual([]);
});
