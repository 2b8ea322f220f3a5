import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod';
import { type BundledPackage, bundledPackages } from './bundled-packages.ts';

const Manifest = z.object({ name: z.string(), version: z.string() });

/**
 * The packages that these builds have put into their outputs, as CycloneDX 1.5. It has no time and no serial number, so that a
 * deployment without a change is recognized as one.
 */
export function billOfMaterials(
  root: string,
  builds: readonly Metafile[],
  besides: readonly BundledPackage[] = [],
): string {
  const { name, version } = Manifest.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  const component = { type: 'application', name, version, purl: purlOf({ name, version }) };
  const components = [...bundledPackages(root, builds), ...besides].map((one) => ({
    type: 'library',
    'bom-ref': `${one.name}@${one.version}`,
    name: one.name,
    version: one.version,
    purl: purlOf(one),
    hashes: [
      {
        alg: 'SHA-512',
        content: Buffer.from(one.integrity.replace('sha512-', ''), 'base64').toString('hex'),
      },
    ],
    licenses: [{ expression: one.license }],
  }));
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component },
    components,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** The package URL; the @ of a scope is escaped. */
function purlOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
