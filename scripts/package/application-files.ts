import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageApplication } from '../package-application.ts';
import { type ArchivedFile, packFiles } from './archive.ts';
import { LAYOUT, STAGE_OF_PACKAGE } from './layout.ts';

/** Writes what is deployed: the templates and functions for this machine's stack, and the folder that osls deploys from. */
export async function writeApplication(root: string, out: string): Promise<void> {
  const packaged = await packageApplication(root, STAGE_OF_PACKAGE);
  const write = (place: string, content: string | Uint8Array): void => {
    mkdirSync(path.dirname(path.join(out, place)), { recursive: true });
    writeFileSync(path.join(out, place), content);
  };
  write(LAYOUT.bucketTemplate, packaged.bucketTemplate);
  write(LAYOUT.template, packaged.template);
  write(LAYOUT.billOfMaterials, packaged.billOfMaterials);
  write(LAYOUT.functions, await packFiles(functionFiles(packaged.bundles)));
  for (const one of ['serverless.yml', 'infra', 'statemachines', 'docs/openapi.json'])
    cpSync(path.join(root, one), path.join(out, LAYOUT.service, one), {
      recursive: true,
      filter: (file) => !file.endsWith('.md'),
    });
}

/** The code of all functions without their zips, and without the native part, which are made where they are needed. */
function functionFiles(bundles: string): readonly ArchivedFile[] {
  return readdirSync(bundles, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && entry.parentPath !== bundles && !isNative(path.relative(bundles, entry.parentPath)),
    )
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({
      name: path.relative(bundles, file).split(path.sep).join('/'),
      bytes: readFileSync(file),
    }));
}

function isNative(folder: string): boolean {
  return folder.split(path.sep).includes('node_modules');
}
