import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip, zstdDecompress } from 'node:zlib';
import { ROOT } from '../../../src/cli/root-folder.ts';
import { inCache } from '../in-cache.ts';
import { LAYOUT } from '../layout.ts';

/** The example's pipeline in the user's cache: the package has its model in a denser form, since it holds each weight twice. */
export async function exampleFolder(): Promise<string> {
  const model = await readFile(path.join(ROOT, LAYOUT.exampleModel));
  return inCache('example', model, async (folder) => {
    await cp(path.join(ROOT, LAYOUT.example, 'pipeline.json'), path.join(folder, 'pipeline.json'));
    const archive = await promisify(gzip)(await promisify(zstdDecompress)(model));
    await writeFile(path.join(folder, 'model.tar.gz'), archive);
  });
}
