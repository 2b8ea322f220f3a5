import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackModelArchive } from '@inferdrop/model-container/model-archive';
import { openArchive, type OpenedArchive } from '@inferdrop/model-container/open-archive';
import type { OpenModel } from '../../src/app/engine/lambda/predicting-model.ts';
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { ONNX_HANDLER } from '../../src/model/onnx/handler-text.ts';
import { Condition } from '../../src/problem/conditions.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';

type Model = Parameters<OpenModel>[0];

/** A model in memory, and where its files lie. */
interface KeptModel {
  readonly key: string;
  readonly opened: Promise<OpenedArchive>;
  readonly folder: string;
}

/** Errors that are about the archive, and not about this function. */
const ABOUT_THE_MODEL = new Set(['ArchiveRefused', 'UnsupportedModel', 'BrokenModel', 'BadModelArchive']);

/** Opens models from the bucket, and keeps the last one for the life of the execution environment. */
export function modelOpener(store: ObjectStore): OpenModel {
  let kept: KeptModel | undefined;
  return async (model) => {
    const key = JSON.stringify([model.sha256, model.imageUri, model.environment]);
    if (kept?.key !== key) {
      if (kept !== undefined) await rm(kept.folder, { recursive: true, force: true });
      const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-model-'));
      kept = { key, folder, opened: open(store, model, folder) };
    }
    try {
      return await kept.opened;
    } catch (error) {
      await rm(kept.folder, { recursive: true, force: true });
      kept = undefined;
      throw error;
    }
  };
}

async function open(
  store: ObjectStore,
  { sha256, imageUri: image, environment }: Model,
  modelDir: string,
): Promise<OpenedArchive> {
  const archive = await store.readStream(bucketLayout.model(sha256));
  if (archive === undefined)
    throw new Condition('RunFileMissing', `${bucketLayout.model(sha256)} is not there: rerun the run`);
  try {
    await unpackModelArchive(archive, modelDir);
    return await openArchive({ image, modelDir, environment, onnxHandler: Buffer.from(ONNX_HANDLER) });
  } catch (error) {
    if (!(error instanceof Error) || !ABOUT_THE_MODEL.has(error.name)) throw error;
    throw new Condition(
      'ModelRefused',
      `the model cannot run with transform.engine "lambda": ${error.message}. Set it to "sagemaker"`,
      { cause: error },
    );
  }
}
