import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundLog } from '@inferdrop/model-container/internal/bounded-log';
import { DiskTooSmall } from '@inferdrop/model-container/internal/model-archive';
import { openArchive, type OpenedArchive } from '@inferdrop/model-container/open-archive';
import { converterDigest } from '@inferdrop/savedmodel/internal/converter-digest';
import { keepModels } from '../../src/app/engine/lambda/kept-models.ts';
import type { FunctionUse, OpenModel } from '../../src/app/engine/lambda/predicting-model.ts';
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { logger } from './logger.ts';
import { modelRefusal } from './model-refusal.ts';
import { scratchFolder } from './scratch-folder.ts';
import { unpackArchive, unpackConversion } from './unpack-model.ts';

type Model = Parameters<OpenModel>[0];

/** Use that an opener is for, and how much stays open. */
interface OpenerOptions {
  readonly use: FunctionUse;
  /** Memory for models that stay open; 0 keeps only the last one. */
  readonly keptBytes: number;
}

/** Memory that is counted for a model: its Python, and onnxruntime's weights in addition to the arrays that they were read into. */
const PYTHON_BYTES = 150 * 2 ** 20;
const WEIGHTS = 3;

/** Memory of a Python that has booted, which scripts/python-part.ts puts into the function's code. */
const SNAPSHOT = fileURLToPath(new URL('./node_modules/pyodide/python.snapshot', import.meta.url));

/** Options of runs, which predict with one model. */
const FOR_RUNS: OpenerOptions = { use: 'run', keptBytes: 0 };

/** Options for endpoints: several pipelines' endpoints share the function. Part of its memory is left for requests and their answers. */
export function forEndpoints(memoryMB: number): OpenerOptions {
  return { use: 'endpoint', keptBytes: 0.6 * memoryMB * 2 ** 20 };
}

/** A model that stays open, and the job that has asked it last. */
interface KeptModel extends OpenedArchive {
  readonly bytes: number;
  job?: string;
}

function memoryOf(fileBytes: number): number {
  return PYTHON_BYTES + WEIGHTS * fileBytes;
}

/** Opens models from the bucket, and keeps them for the life of the execution environment as far as its memory goes. */
export function modelOpener(
  store: ObjectStore,
  { use, keptBytes }: OpenerOptions = FOR_RUNS,
  openUnpacked = openArchive,
  versionNow = converterDigest,
): OpenModel {
  const keep = keepModels<KeptModel>(
    keptBytes,
    (error) => error instanceof Error && error.cause instanceof DiskTooSmall,
  );
  return async (model, job) => {
    const kept = await keep(
      JSON.stringify([model.sha256, model.imageUri, model.environment]),
      async () => memoryOf((await store.describe(bucketLayout.model(model.sha256)))?.size ?? 0),
      async () => {
        const folder = await scratchFolder('model');
        const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
        try {
          const opened = await open(store, { ...model, version: await versionNow() }, folder, openUnpacked);
          return {
            ...opened,
            renewScript: async () =>
              opened.renewScript().catch((error: unknown): never => {
                throw modelRefusal(error, use);
              }),
            close: async () => opened.close().finally(remove),
          };
        } catch (error) {
          await remove();
          throw modelRefusal(error, use);
        }
      },
    );
    if (job === undefined) return kept;
    if (kept.job !== undefined && kept.job !== job) await kept.renewScript();
    kept.job = job;
    return kept;
  };
}

/** Opens a model as it has been converted; where nothing has, as after a deployment with another converter, from its archive. */
async function open(
  store: ObjectStore,
  { sha256, version, imageUri: image, environment }: Model & { readonly version: string },
  folder: string,
  openUnpacked: typeof openArchive,
): Promise<KeptModel> {
  const [modelDir, archiveDir] = [path.join(folder, 'model'), path.join(folder, 'archive')];
  const convertedBytes = await unpackConversion(store, { sha256, version }, modelDir);
  if (convertedBytes === undefined) logger.info('MODEL_NOT_CONVERTED', { sha256, version });
  const fileBytes = convertedBytes ?? (await unpackArchive(store, sha256, modelDir));
  const savedModelOf = async (versionDir: string): Promise<string> => {
    await unpackArchive(store, sha256, archiveDir);
    return path.join(archiveDir, path.relative(modelDir, versionDir));
  };
  const opened = await openUnpacked({
    image,
    modelDir,
    environment,
    ...(convertedBytes !== undefined && { savedModelOf }),
    pythonSnapshot: SNAPSHOT,
    log: boundLog((line) => logger.info('HANDLER_LINE', { line })).write,
  });
  return { ...opened, bytes: memoryOf(fileBytes) };
}
