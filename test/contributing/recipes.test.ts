import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const recipes = readFileSync(`${ROOT}docs/recipes.md`, 'utf8');
const page = [
  recipes,
  ...['CONTRIBUTING.md', 'lab/README.md'].map((file) => readFileSync(ROOT + file, 'utf8')),
].join('\n');
const scripts: Record<string, string> = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts;

/** Code on the pages: spans between backticks, and lines of blocks without their comments. */
const spans = [
  ...page
    .replaceAll(/```[\s\S]*?```/g, '')
    .matchAll(/`([^`]+)`/g)
    .map(([, code]) => code!),
  ...page.matchAll(/```sh\n([\s\S]*?)```/g).flatMap(([, block]) =>
    block!
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((line) => line !== ''),
  ),
];

/** Paths below the folders of this repository; `<name>` stands for any name. */
function pathsIn(code: string): string[] {
  return code
    .split(/\s+/)
    .filter((word) => word.includes('/') && !/^(?:@|https?:|--|\.venv)/.test(word))
    .map((word) => word.replaceAll(/<[^>]+>/g, '*'));
}

const named = [...new Set(spans.flatMap(pathsIn))];

test.each(named.map((path) => [path]))('%s is there', (path) => {
  expect(globSync(path, { cwd: ROOT })).not.toEqual([]);
});

test('each npm script that is named exists', () => {
  const asked = [...page.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
  expect(asked.filter((name) => !(name in scripts))).toEqual([]);
  expect(asked.length).toBeGreaterThan(10);
});

test('there is a recipe for each thing that is often added', () => {
  const added = [...recipes.matchAll(/^## Add (.+)$/gm)].map(([, what]) => what);
  expect(added).toEqual([
    'a metric',
    'a figure to the report of a training',
    'an output format',
    'a field to pipeline.json',
    'a state to a state machine',
    'a kind of drop',
    'a check of the account',
    'a source of slices',
    'a command to the command line',
    'a condition',
    'a framework',
    'a task',
    'an instance family',
    'an engine',
    'a kind of endpoint',
    'a page to the console',
    'a stored document',
    'a source of inputs',
    'a SavedModel operation',
    'an emulated service',
    'an emulated call',
  ]);
});
