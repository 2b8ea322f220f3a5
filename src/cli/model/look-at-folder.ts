import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HUGGING_FACE_FILES, lookAtConfig, WEIGHTS } from '../../models/huggingface/source.ts';
import type { ForPython } from '../../models/source.ts';
import { SOURCE_FOLDER } from '../../models/source-record.ts';
import { isThere } from '../init/is-there.ts';
import { Refusal } from '../refusal.ts';
import { memberOf } from './served-files.ts';
import type { Member } from './write-archive.ts';

/** A folder of Hugging Face, looked at without running it. */
export interface HubFolder {
  readonly found: ForPython;
  /** The file of its configuration, and its digest. */
  readonly source: { readonly kind: string; readonly file: string; readonly sha256: string };
  /** Files that are kept in the archive. */
  readonly kept: readonly Member[];
  /** Words on the weights, which aren't. */
  readonly note: string;
}

/**
 * Looks at a folder as Hugging Face's libraries write them.
 *
 * @returns undefined for another folder
 * @throws {Refusal} for a model that isn't converted
 */
export async function lookAtFolder(folder: string): Promise<HubFolder | undefined> {
  const [config, preprocessor] = HUGGING_FACE_FILES.map((name) => path.join(folder, name));
  if (config === undefined || !(await isThere(config))) return undefined;
  const settings =
    preprocessor !== undefined && (await isThere(preprocessor))
      ? await readFile(preprocessor, 'utf8')
      : undefined;
  const found = lookAtConfig(await readFile(config, 'utf8'), settings);
  if (found === undefined) return undefined;
  if ('refused' in found) throw new Refusal(`${folder} ${found.refused}`);
  for (const file of WEIGHTS) {
    if (!(await isThere(path.join(folder, file)))) continue;
    const source = { kind: 'huggingface', file: path.basename(config), sha256: await digestOf(config) };
    const kept = HUGGING_FACE_FILES.map((name) =>
      memberOf(`${SOURCE_FOLDER}/${name}`, path.join(folder, name)),
    );
    const note = `${file} is not kept, since model.onnx has its weights; its sha256 is ${await digestOf(path.join(folder, file))}`;
    return { found, source, kept: await Promise.all(kept), note };
  }
  throw new Refusal(`${folder} has no weights: put ${WEIGHTS[0]} or ${WEIGHTS[1]} next to its config.json`);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
