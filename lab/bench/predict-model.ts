import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadModel } from '@inferdrop/savedmodel/load-model';
import { packModel } from '../../src/cli/model/pack-model.ts';
import { readSubject } from './transform/subject.ts';

/** Model that serves in lab/bench/predict.ts. */
export interface BenchModel {
  readonly archive: Uint8Array;
  /** Images by file name; the run that deploys the model is made of them. */
  readonly images: Readonly<Record<string, Uint8Array>>;
  readonly classCount: number;
}

/**
 * Reads `model/` and `images/` of a folder, as `lab/bench/make_networks.py` writes them, and packs the model.
 *
 * @throws {Error} if something is missing, or no output of the model has a fixed number of scores
 */
export async function readBenchModel(folder: string, imageCount: number): Promise<BenchModel> {
  const { modelDir, versionDir, images } = await readSubject(folder);
  const outputs = loadModel(versionDir).signatures.flatMap((signature) => signature.outputs);
  const classCount = outputs.find(({ dtype }) => dtype === 'float32')?.shape?.at(-1) ?? -1;
  if (classCount < 1) throw new Error(`${versionDir}: an output must be scores, one a class`);
  const work = await mkdtemp(path.join(tmpdir(), 'inferdrop-bench-'));
  try {
    const output = path.join(work, 'model.tar.gz');
    const code = path.join(modelDir, 'code');
    await packModel({ savedModel: path.dirname(versionDir), pytorch: undefined, code, output });
    const named = images.slice(0, imageCount).map((image, index) => [`${index}.png`, image]);
    return { archive: await readFile(output), images: Object.fromEntries(named), classCount };
  } finally {
    await rm(work, { recursive: true });
  }
}
