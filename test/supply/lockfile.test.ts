import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const SCRIPTS = [
  'check-lockfile.mjs',
  'bootstrap.mjs',
  'install-lock.mjs',
  'installed-tree.mjs',
  'node-binaries.mjs',
  'parts.mjs',
  'static-help.mjs',
  'require-credentials.mjs',
];

type Json = Record<string, any>;
interface Files {
  readonly manifest: Json;
  readonly lock: Json;
  /** Entry of zod, which everything needs. */
  readonly zod: Json;
  npmrc: string;
  /** Changes the text of package-lock.json. */
  edit: (lock: string) => string;
}

let clone: string;
beforeAll(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'inferdrop-lockfile-'));
  mkdirSync(path.join(clone, 'scripts'));
  for (const name of readdirSync(path.join(ROOT, 'packages'))) {
    const manifest = path.join('packages', name, 'package.json');
    mkdirSync(path.join(clone, 'packages', name), { recursive: true });
    copyFileSync(path.join(ROOT, manifest), path.join(clone, manifest));
  }
  for (const name of SCRIPTS)
    copyFileSync(path.join(ROOT, 'scripts', name), path.join(clone, 'scripts', name));
});
afterAll(() => rmSync(clone, { recursive: true }));

/** What the check says of this repository's files with a change. */
function check(change: (files: Files) => void): string {
  const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
  const lock = JSON.parse(read('package-lock.json'));
  const manifest = JSON.parse(read('package.json'));
  const files: Files = {
    manifest,
    lock,
    zod: lock.packages['node_modules/zod'],
    npmrc: read('.npmrc'),
    edit: (text) => text,
  };
  change(files);
  const write = (value: Json) => `${JSON.stringify(value, null, 2)}\n`;
  writeFileSync(path.join(clone, 'package.json'), write(files.manifest));
  writeFileSync(path.join(clone, 'package-lock.json'), files.edit(write(files.lock)));
  writeFileSync(path.join(clone, '.npmrc'), files.npmrc);
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-lockfile.mjs'], {
    cwd: clone,
    encoding: 'utf8',
  });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

it('has nothing to say of the files as they are', () => expect(check(() => undefined)).toBe(''));

const SHA1 = 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=';
it.each<[string, string, (files: Files) => void]>([
  [
    'git',
    'must come from the registry',
    ({ zod }) => (zod.resolved = 'git+ssh://git@github.com/x/zod.git#abc'),
  ],
  ['http', 'must come from the registry', ({ zod }) => (zod.resolved = 'http://registry.example/zod.tgz')],
  [
    'another host',
    'must come from the registry',
    ({ zod }) => (zod.resolved = 'https://evil.example/zod.tgz'),
  ],
  ['no digest', 'integrity must be one SHA-512', ({ zod }) => delete zod.integrity],
  ['a weak digest', 'integrity must be one SHA-512', ({ zod }) => (zod.integrity = SHA1)],
  ['a digest of two', 'integrity must be one SHA-512', ({ zod }) => (zod.integrity += ` ${SHA1}`)],
  ['an empty digest', 'integrity must be one SHA-512', ({ zod }) => (zod.integrity = 'sha512-')],
  [
    'a folder',
    'links to ../x, which is no package of its name',
    ({ zod }) => Object.assign(zod, { resolved: '../x', link: true }),
  ],
  ['an install script', 'has an install script', ({ zod }) => (zod.hasInstallScript = true)],
  ['another license', 'license must be', ({ zod }) => (zod.license = 'GPL-3.0')],
  ['no license', 'license must be', ({ zod }) => delete zod.license],
  [
    'a license for development alone',
    'license must be',
    ({ zod }) => Object.assign(zod, { license: 'LGPL-3.0-or-later', devOptional: true }),
  ],
  [
    'a package that is said to be for development alone',
    'is said to be only for development, and is not',
    ({ zod }) => (zod.dev = true),
  ],
  ['an alias deep down', 'is an alias of evil', ({ zod }) => (zod.name = 'evil')],
  [
    'an alias of its own',
    'must be pinned to one version, is "npm:evil@4.6.7"',
    ({ manifest }) => (manifest.dependencies.zod = 'npm:evil@4.6.7'),
  ],
  [
    'another alias',
    'node_modules/serverless: is an alias of evil',
    ({ lock }) => (lock.packages['node_modules/serverless'].name = 'evil'),
  ],
  ['a range', 'must be pinned to one version', ({ manifest }) => (manifest.dependencies.zod = '^4.6.7')],
  ['a tag', 'must be pinned to one version', ({ manifest }) => (manifest.dependencies.zod = 'latest')],
  [
    'a repository',
    'must be pinned to one version',
    ({ manifest }) => (manifest.dependencies.zod = 'github:x/zod'),
  ],
  ['another version', 'as in package.json, is 4.0.0', ({ zod }) => (zod.version = '4.0.0')],
  [
    'what package.json does not ask for',
    "don't match package.json",
    ({ lock }) => (lock.packages[''].dependencies.evil = '1.0.0'),
  ],
  ['overrides', 'overrides must not be used', ({ manifest }) => (manifest.overrides = { zod: '4.0.0' })],
  [
    'a package that nothing asks for',
    'node_modules/evil: no package asks for it',
    ({ lock, zod }) => (lock.packages['node_modules/evil'] = { ...zod, version: '1.0.0' }),
  ],
  [
    'a package below one that does not ask for it',
    'node_modules/zod/node_modules/evil: no package asks for it',
    ({ lock, zod }) => (lock.packages['node_modules/zod/node_modules/evil'] = { ...zod, version: '1.0.0' }),
  ],
  [
    'packages in the table of npm 6',
    'package-lock.json: dependencies must not be used',
    ({ lock }) =>
      (lock.dependencies = { evil: { version: '1.0.0', resolved: 'https://evil.example/x.tgz' } }),
  ],
  [
    'two tables of packages',
    'package-lock.json: must be JSON as npm writes it',
    (files) => (files.edit = (text) => text.replace('{', '{\n  "packages": { "node_modules/evil": {} },')),
  ],
  [
    'an entry with two digests',
    'package-lock.json: must be JSON as npm writes it',
    (files) =>
      (files.edit = (text) =>
        text.replace('"integrity": "', '"integrity": "sha512-x",\n      "integrity": "')),
  ],
  ['workspaces', 'workspaces must be packages/*, is x', ({ manifest }) => (manifest.workspaces = ['x'])],
  [
    'a package of this repository by another name',
    'links to packages/laptop, which is no package of its name',
    ({ lock }) => (lock.packages['node_modules/@inferdrop/savedmodel'].resolved = 'packages/laptop'),
  ],
  [
    'a package of this repository that comes from the registry',
    'must be a link',
    ({ lock, zod }) => (lock.packages['node_modules/@inferdrop/savedmodel'] = { ...zod, version: '0.1.0' }),
  ],
  [
    'what a package of this repository does not ask for',
    "don't match packages/laptop/package.json",
    ({ lock }) => (lock.packages['packages/laptop'].dependencies.evil = '1.0.0'),
  ],
  ['an older lockfile', 'lockfileVersion must be 3', ({ lock }) => (lock.lockfileVersion = 1)],
  [
    'scripts of packages',
    'must have ignore-scripts=true',
    (files) => (files.npmrc = files.npmrc.replace('ignore-scripts=true', '')),
  ],
  [
    'scripts of packages, further down',
    'is not one of',
    (files) => (files.npmrc += 'ignore-scripts=false\n'),
  ],
  ['another registry', 'is not one of', (files) => (files.npmrc += 'registry=https://evil.example/\n')],
  [
    'another registry of a scope',
    'is not one of',
    (files) => (files.npmrc += '@aws-sdk:registry=https://evil.example/\n'),
  ],
])('refuses %s', (_, words, change) => {
  expect(check(change)).toContain(words);
});
