import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod';

/** A package of the registry that is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Folder of the package, relative to the root. */
  readonly place: string;
  /** Digest as npm's lockfile has it: `sha512-` and Base64. */
  readonly integrity: string;
}

const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });
const Lockfile = z.object({ packages: z.record(z.string(), z.object({ integrity: z.string().optional() })) });

/** Folder of the innermost package that a file belongs to. */
const PLACE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * The packages that are actually in the outputs of these builds, and not merely below `node_modules`, ordered by name.
 *
 * @throws {Error} for a package that isn't in the lockfile
 */
export function bundledPackages(root: string, builds: readonly Metafile[]): readonly BundledPackage[] {
  const places = new Set<string>();
  for (const { outputs } of builds)
    for (const { inputs } of Object.values(outputs))
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        const [place] = PLACE.exec(file) ?? [];
        if (place !== undefined && bytesInOutput > 0) places.add(place);
      }
  return [...places]
    .map((place) => describe(root, place))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

const Entry = z.object({ version: z.string(), license: z.string(), integrity: z.string() });
const EntriesOf = z.object({ packages: z.record(z.string(), z.unknown()) });

/** Packages by their names in the lockfile of a folder, for those that are added to a bundle as they are. */
export function lockedPackages(
  root: string,
  folder: string,
  names: readonly string[],
): readonly BundledPackage[] {
  const { packages } = EntriesOf.parse(readJson(path.join(root, folder, 'package-lock.json')));
  return names.map((name) => {
    const place = `node_modules/${name}`;
    const { version, license, integrity } = Entry.parse(packages[place]);
    return { name, version, license, integrity, place: path.posix.join(folder, place) };
  });
}

function describe(root: string, place: string): BundledPackage {
  const { name, version, license } = Manifest.parse(readJson(path.join(root, place, 'package.json')));
  const integrity = integrityOf(root, place);
  if (integrity === undefined) throw new Error(`${place} is in a bundle and not in package-lock.json`);
  return { name, version, license, place, integrity };
}

/** A package of this repository with packages of its own has a lockfile as well. */
function integrityOf(root: string, place: string): string | undefined {
  const [own = '', below] = place.split(/\/?(?=node_modules\/)/, 2);
  const folder = below !== undefined && existsSync(path.join(root, own, 'package-lock.json')) ? own : '';
  const { packages } = Lockfile.parse(readJson(path.join(root, folder, 'package-lock.json')));
  return packages[path.posix.relative(folder, place)]?.integrity;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
