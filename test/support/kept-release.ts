import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { Package } from '../../scripts/package-application.ts';

/** The packaged application of an earlier commit, as `scripts/keep-release.ts` keeps it. */
export interface KeptRelease {
  readonly bucketTemplate: string;
  readonly template: string;
  /** Code of each function, without its source map. */
  readonly functions: Readonly<Record<string, string>>;
  /** The example's pipeline.json. */
  readonly pipeline: string;
}

export function keptReleaseFile(commit: string): string {
  return path.resolve(import.meta.dirname, '..', 'fixtures', 'release', `${commit}.json.br`);
}

/** Unpacks a kept release into a folder: what `packageApplication` of that commit gives, and its example's configuration. */
export async function unpackRelease(commit: string, folder: string): Promise<Package & { pipeline: string }> {
  const text = brotliDecompressSync(await readFile(keptReleaseFile(commit))).toString();
  const { functions, ...release } = JSON.parse(text) as KeptRelease;
  const bundles = path.join(folder, 'bundles');
  await mkdir(bundles, { recursive: true });
  for (const [name, code] of Object.entries(functions)) {
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(code), 'index.mjs');
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(path.join(bundles, `${name}.zip`)));
  }
  return { ...release, template: amended(release.template), bundles };
}

/** As the release is deployable: `RouteSettings` is free JSON, in which CloudFormation makes no numbers of parameters. */
function amended(template: string): string {
  const { Parameters, Resources, ...rest } = JSON.parse(template);
  const { RouteSettings } = Resources.ApiStage.Properties;
  for (const settings of Object.values<Record<string, { Ref: string } | number>>(RouteSettings)) {
    for (const [name, value] of Object.entries(settings))
      if (typeof value === 'object') settings[name] = Number(Parameters[value.Ref].Default);
  }
  return JSON.stringify({ ...rest, Parameters, Resources });
}
