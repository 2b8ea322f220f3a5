// Checks package-lock.json: every package has a digest and an allowed license, versions are pinned, and aliases, overrides and
// install scripts are those listed here. For a folder with packages of its own: `check-lockfile.mjs lab/mutants`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from './bootstrap.mjs';

const folder = path.join(root, process.argv[2] ?? '');
const problems = [];
/** Reads a JSON file and notes duplicate keys: some readers take the first value, others the last. */
const read = (name) => {
  const text = readFileSync(path.join(folder, name), 'utf8');
  const value = JSON.parse(text);
  if (`${JSON.stringify(value, null, 2)}\n` !== text)
    problems.push(`${name}: must be JSON as npm writes it, each key once: run npm install`);
  return value;
};
const ANYWHERE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  '(MIT OR CC0-1.0)',
  // Used unchanged.
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
]);
/** libvips below sharp, and data below Babel: for tests and measurements only, never deployed. */
const FOR_DEVELOPMENT = new Set([
  'CC-BY-4.0',
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
]);
/** Names that stand for another package (docs/adr/0002-osls.md). */
const ALIASES = new Map([['node_modules/serverless', 'osls']]);
/** Packages that bring install scripts; none is run (.npmrc). */
const WITH_INSTALL_SCRIPT = new Set(
  ['es5-ext', 'esbuild', 'onnxruntime-node'].map((name) => `node_modules/${name}`),
);
/** Fields of package-lock.json. `dependencies` is npm 6's list of packages, which the checks below would not see. */
const LOCKFILE_FIELDS = new Set(['name', 'version', 'lockfileVersion', 'requires', 'packages']);
/** Fields of package.json that would add or change packages without passing the checks below. */
const NOT_USED = ['overrides', 'peerDependencies', 'bundleDependencies', 'bundledDependencies'];
/** Allowed lines of .npmrc: of two lines the last counts, and others would name another registry or allow scripts. */
const NPM_SETTINGS = new Set([
  'ignore-scripts=true',
  'save-exact=true',
  'fund=false',
  'audit=false',
  'update-notifier=false',
  'legacy-peer-deps=true',
  'omit-lockfile-registry-resolved=true',
]);
const WORKSPACES = ['packages/*'];
/** The places of the repository's own packages: they have no digest, and nothing of them comes from the registry. */
const OWN = /^packages\/([a-z-]+)$/;
const PINNED = /^\d+\.\d+\.\d+(?:[A-Za-z_.-][\w.-]*)?$/;
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

const manifest = read('package.json');
const lockfile = read('package-lock.json');
const { packages, lockfileVersion } = lockfile;

if (lockfileVersion !== 3)
  problems.push(`package-lock.json: lockfileVersion must be 3, is ${lockfileVersion}`);
for (const field of Object.keys(lockfile).filter((name) => !LOCKFILE_FIELDS.has(name)))
  problems.push(`package-lock.json: ${field} must not be used`);
const settings = readFileSync(path.join(folder, '.npmrc'), 'utf8').split(/\r?\n/);
if (!settings.includes('ignore-scripts=true')) problems.push('.npmrc: must have ignore-scripts=true');
for (const line of settings.filter((one) => one !== '' && !/^[;#]/.test(one) && !NPM_SETTINGS.has(one)))
  problems.push(`.npmrc: ${line} is not one of the settings that are listed here`);
if (!isDeepStrictEqual(manifest.workspaces ?? WORKSPACES, WORKSPACES))
  problems.push(`package.json: workspaces must be ${WORKSPACES}, is ${manifest.workspaces}`);

const inProduction = reachableFrom({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
});
const used = reachableFrom({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.devDependencies,
});
for (const [place, entry] of Object.entries(packages)) {
  if (place === '' || OWN.test(place)) continue;
  if (entry.link === true) {
    const [, own] = OWN.exec(entry.resolved) ?? [];
    if (place !== `node_modules/@inferdrop/${own}`)
      problems.push(`${place}: links to ${entry.resolved}, which is no package of its name below packages/`);
    continue;
  }
  if (place.includes('node_modules/@inferdrop/'))
    problems.push(`${place}: must be a link to this repository's own package, never one of the registry`);
  const { integrity = '', resolved, license, dev, name, version } = entry;
  if (!SHA512.test(integrity)) problems.push(`${place}: integrity must be one SHA-512, is "${integrity}"`);
  if (resolved !== undefined) problems.push(`${place}: comes from ${resolved}, must come from the registry`);
  if (name !== ALIASES.get(place))
    problems.push(`${place}: is an alias of ${name}, which is not listed here`);
  if (entry.hasInstallScript === true && !WITH_INSTALL_SCRIPT.has(place))
    problems.push(`${place}: has an install script, which is not listed here`);
  if (!PINNED.test(version)) problems.push(`${place}: version must be one, is "${version}"`);
  if (!used.has(place)) problems.push(`${place}: no package asks for it: run npm install`);
  if (dev === true && inProduction.has(place))
    problems.push(`${place}: is said to be only for development, and is not`);
  const isAllowed = ANYWHERE.has(license) || (!inProduction.has(place) && FOR_DEVELOPMENT.has(license));
  if (!isAllowed)
    problems.push(`${place}: license must be one of those in scripts/check-lockfile.mjs, is ${license}`);
}

for (const place of Object.keys(packages).filter((one) => one === '' || OWN.test(one)))
  checkManifest(place, path.posix.join(place, 'package.json'));
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Checks that a package of this repository asks only for pinned versions, and that the lockfile has these. */
function checkManifest(from, file) {
  const asks = read(file);
  const [, own] = OWN.exec(from) ?? [];
  if (own !== undefined && (asks.name !== `@inferdrop/${own}` || asks.private !== true))
    problems.push(`${file}: must be private and named @inferdrop/${own}, is ${asks.name}`);
  for (const field of NOT_USED.filter((name) => asks[name] !== undefined))
    problems.push(`${file}: ${field} must not be used`);
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    if (!isDeepStrictEqual(packages[from]?.[kind], asks[kind]))
      problems.push(`package-lock.json: ${kind} don't match ${file}: run npm install`);
    for (const [name, asked] of Object.entries(asks[kind] ?? {})) {
      const place = placeOf(from, name) ?? `node_modules/${name}`;
      const alias = ALIASES.get(place);
      const version = alias === undefined ? asked : asked.replace(`npm:${alias}@`, '');
      const locked = packages[targetOf(place)]?.version;
      if (!PINNED.test(version))
        problems.push(`${file}: ${name} must be pinned to one version, is "${asked}"`);
      else if (locked !== version) problems.push(`${place}: must be ${version} as in ${file}, is ${locked}`);
    }
  }
}

/** Where the package of a place lies: a package of this repository is a link there. */
function targetOf(place) {
  const { link, resolved } = packages[place] ?? {};
  return link === true ? resolved : place;
}

/** Places where Node would find all packages that these names lead to, whatever the lockfile says about its packages. */
function reachableFrom(names) {
  const found = new Set();
  const waiting = Object.keys(names).map((name) => ['', name]);
  for (let next; (next = waiting.pop()) !== undefined;) {
    const place = placeOf(...next);
    // An optional package for other platforms, or a missing peer.
    if (place === undefined || found.has(place)) continue;
    found.add(place);
    const target = targetOf(place);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[target] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      waiting.push([target, name]);
  }
  return found;
}

/** The nearest `node_modules/<name>` from a package's place upwards. */
function placeOf(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}
