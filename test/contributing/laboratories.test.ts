import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const lab = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['lab/start.mjs', ...args], { cwd: ROOT, encoding: 'utf8' });
const list = lab().stdout;
const names = list.split('\n').flatMap((line) => line.match(/^\w+/) ?? []);

test('lab/README.md has the list that `npm run lab` prints', () => {
  expect(names.length).toBeGreaterThan(10);
  expect(read('lab/README.md')).toContain(`\`\`\`\n${list}\`\`\``);
});

test('each file that the table names is there', () => {
  const files = [...read('lab/laboratories.mjs').matchAll(/(?:packages|lab|test|scripts)\/[\w/.-]+/g)].map(
    ([file]) => file,
  );
  expect(files.length).toBeGreaterThan(names.length);
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

test('each laboratory that a page, a script or a comment starts is there', () => {
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
  const files = globSync('{{docs,examples,packages,test,lab,scripts,src}/**/*,*}.{md,ts,mjs,py}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/golden/**'],
  });
  const started = [
    ...files.flatMap((file) => [...read(file).matchAll(/npm run lab -- ([a-z]+)/g)].map(([, name]) => name)),
    ...Object.values(scripts).flatMap((script) => /^node lab\/start\.mjs (\w+)/.exec(script)?.[1] ?? []),
  ];
  expect(started.length).toBeGreaterThan(20);
  expect(started.filter((name) => !names.includes(name!))).toEqual([]);
});

test('an unknown name is refused with the list', () => {
  const { status, stderr } = lab('orcale');
  expect(status).toBe(1);
  expect(stderr).toBe(`There is no laboratory orcale. There are:\n${list}`);
});
