import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundLog } from '@inferdrop/model-container/bounded-log';
import { unpackModelArchive } from '@inferdrop/model-container/model-archive';
import { openArchive, type OpenedArchive } from '@inferdrop/model-container/open-archive';
import { HandlerRefused } from '@inferdrop/model-container/python-service';
import type { OpenModel } from '../../src/app/engine/lambda/predicting-model.ts';
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { ONNX_HANDLER } from '../../src/model/onnx/handler-text.ts';
import { Condition } from '../../src/problem/conditions.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { logger } from './logger.ts';

type Model = Parameters<OpenModel>[0];

/** A model in memory, and where its files lie. */
interface KeptModel {
  readonly key: string;
  readonly opened: Promise<OpenedArchive>;
  readonly folder: string;
}

/** Memory of a Python that has booted, which scripts/python-part.ts puts into the function's code. */
const SNAPSHOT = fileURLToPath(new URL('./node_modules/pyodide/python.snapshot', import.meta.url));
/** Errors that are about the archive, and not about this function. */
const ABOUT_THE_MODEL = new Set(['ArchiveRefused', 'UnsupportedModel', 'BrokenModel', 'BadModelArchive']);

/** Opens models from the bucket, and keeps the last one for the life of the execution environment. */
export function modelOpener(store: ObjectStore): OpenModel {
  let kept: KeptModel | undefined;
  return async (model) => {
    const key = JSON.stringify([model.sha256, model.imageUri, model.environment]);
    if (kept?.key !== key) {
      await kept?.opened.then((opened) => opened.close());
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
    return await openArchive({
      image,
      modelDir,
      environment,
      onnxHandler: Buffer.from(ONNX_HANDLER),
      pythonSnapshot: SNAPSHOT,
      log: boundLog((line) => logger.info('HANDLER_LINE', { line })).write,
    });
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

function refusalOf(error: unknown): Condition | undefined {
  if (error instanceof HandlerRefused && !error.needsPython)
    return new Condition('ModelRefused', `the model's script fails: ${error.reason}`, { cause: error });
  const reason = reasonOf(error);
  return reason === undefined
    ? undefined
    : new Condition(
        'ModelRefused',
        `the model cannot run with transform.engine "lambda": ${reason}. Set it to "sagemaker"`,
        { cause: error },
      );
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof HandlerRefused) return error.reason;
  return error instanceof Error && ABOUT_THE_MODEL.has(error.name) ? error.message : undefined;
}
