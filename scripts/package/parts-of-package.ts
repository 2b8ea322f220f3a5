import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { type PartName, PARTS } from '../parts.mjs';

const Dependencies = z.record(z.string(), z.string()).optional();
const Entry = z.looseObject({
  dependencies: Dependencies,
  optionalDependencies: Dependencies,
  peerDependencies: Dependencies,
});
const Lockfile = z.object({ packages: z.record(z.string(), Entry) });
type Packages = z.infer<typeof Lockfile>['packages'];

/** Writes manifest and lockfile of each part below `parts/`; the lockfile for osls is the part of the root's that leads from it. */
export function writeParts(root: string, out: string): void {
  for (const name of ['onnxruntime', 'node'] satisfies PartName[])
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(path.join(root, PARTS[name].checkout, file), path.join(out, 'parts', name, file));
  const alias = 'serverless';
  const { packages } = Lockfile.parse(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')));
  const asked = packages['']?.dependencies?.[alias];
  if (asked === undefined) throw new Error(`package.json asks for no ${alias}`);
  const manifest = {
    name: 'inferdrop-osls',
    version: '0.1.0',
    private: true,
    dependencies: { [alias]: asked },
  };
  const lock = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, ...reachableFrom(alias, packages) },
  };
  const folder = path.join(out, 'parts', 'osls');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(path.join(folder, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
}

/** The entries that a package needs, at their places. */
function reachableFrom(name: string, packages: Packages): Packages {
  const found = new Set<string>();
  const waiting: [from: string, name: string][] = [['', name]];
  for (let next; (next = waiting.pop()) !== undefined;) {
    const place = placeOf(...next, packages);
    // An optional package for other platforms, or a peer that may be missing.
    if (place === undefined || found.has(place)) continue;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {};
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      waiting.push([place, one]);
  }
  return Object.fromEntries(
    Object.entries(packages)
      .filter(([place]) => found.has(place))
      // Nothing of the part is only for development.
      .map(([place, { dev: _dev, devOptional: _devOptional, ...entry }]) => [place, entry]),
  );
}

/** The nearest `node_modules/<name>` from a package's place upwards. */
function placeOf(from: string, name: string, packages: Packages): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}
