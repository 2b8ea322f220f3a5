import { createHash, type Hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { boundLog } from '@inferdrop/model-container/bounded-log';
import { DiskTooSmall, unpackModelArchive } from '@inferdrop/model-container/model-archive';
import { openArchive, type OpenedArchive } from '@inferdrop/model-container/open-archive';
import { HandlerRefused } from '@inferdrop/model-container/python-service';
import { keepModels } from '../../src/app/engine/lambda/kept-models.ts';
import type { OpenModel } from '../../src/app/engine/lambda/predicting-model.ts';
import { withErrorNames } from '../../src/aws/calls/aws-error.ts';
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { ONNX_HANDLER } from '../../src/model/onnx/handler-text.ts';
import { Condition } from '../../src/problem/conditions.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { logger } from './logger.ts';

type Model = Parameters<OpenModel>[0];

/** Use that an opener is for: how much stays open, and the words of a refusal. */
interface OpenerOptions {
  /** Memory for models that stay open; 0 keeps the last one alone. */
  readonly keptBytes: number;
  /** Words of a refusal before and after its reason. */
  readonly refusal: { readonly because: string; readonly remedy: string };
}

/** Memory that is counted for a model: that of its Python, and onnxruntime's weights beside the arrays that they were read into. */
const PYTHON_BYTES = 150 * 2 ** 20;
const WEIGHTS = 3;

/** Memory of a Python that has booted, which scripts/python-part.ts puts into the function's code. */
const SNAPSHOT = fileURLToPath(new URL('./node_modules/pyodide/python.snapshot', import.meta.url));
/** Errors that are about the archive, and not about this function. */
const ABOUT_THE_MODEL = new Set(['ArchiveRefused', 'UnsupportedModel', 'BrokenModel', 'BadModelArchive']);

/**
 * Interval of looks at a download, and the looks in a row without a byte that end it. A function is frozen between two requests, and a
 * connection from before may never say again that it has ended; looks are counted, as time passes while it is frozen.
 */
const LOOK_MS = 5_000;
const MAX_SILENT_LOOKS = 6;

/** Options of runs, which predict with one model. */
const FOR_RUNS: OpenerOptions = {
  keptBytes: 0,
  refusal: {
    because: 'the model cannot run with transform.engine "lambda"',
    remedy: 'Set it to "sagemaker"',
  },
};

/** Options of endpoints: those of several pipelines share the function. A part of its memory is left for requests and their answers. */
export function forEndpoints(memoryMB: number): OpenerOptions {
  return {
    keptBytes: 0.6 * memoryMB * 2 ** 20,
    refusal: {
      because: 'the model cannot be served with endpoint.type "lambda"',
      remedy: 'Set it to "instance" or "serverless"',
    },
  };
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
  { keptBytes, refusal }: OpenerOptions = FOR_RUNS,
  openUnpacked = openArchive,
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
        const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-model-'));
        const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
        try {
          const opened = await open(store, model, folder, openUnpacked);
          return {
            ...opened,
            renewScript: async () =>
              opened.renewScript().catch((error: unknown): never => {
                throw refusalOf(error, refusal) ?? error;
              }),
            close: async () => opened.close().finally(remove),
          };
        } catch (error) {
          await remove();
          throw refusalOf(error, refusal) ?? error;
        }
      },
    );
    if (job === undefined) return kept;
    if (kept.job !== undefined && kept.job !== job) await kept.renewScript();
    kept.job = job;
    return kept;
  };
}

/** @throws {ModelRefused} if the bytes are not those that the digest is of. Also `NetworkingError`, if they do not arrive. */
async function open(
  store: ObjectStore,
  { sha256, imageUri: image, environment }: Model,
  modelDir: string,
  openUnpacked: typeof openArchive,
): Promise<KeptModel> {
  const key = bucketLayout.model(sha256);
  const archive = await store.readStream(key);
  if (archive === undefined) throw new Condition('RunFileMissing', `${key} is not there: rerun the run`);
  const hash = createHash('sha256');
  let lost: Error | undefined;
  archive.once('error', (error) => (lost = error));
  const fileBytes = await withErrorNames(
    unpackModelArchive(Readable.from(hashed(archive, hash)), modelDir).catch((error: unknown): never => {
      // What the connection broke off is no fault of the archive.
      throw lost ?? error;
    }),
  );
  const digest = hash.digest('hex');
  if (digest !== sha256)
    throw new Condition(
      'ModelRefused',
      `${key} is not the archive that was stored there: its SHA-256 is ${digest}. Rerun the run, which stores it again`,
    );
  const opened = await openUnpacked({
    image,
    modelDir,
    environment,
    onnxHandler: Buffer.from(ONNX_HANDLER),
    pythonSnapshot: SNAPSHOT,
    log: boundLog((line) => logger.info('HANDLER_LINE', { line })).write,
  });
  return { ...opened, bytes: memoryOf(fileBytes) };
}

async function* hashed(body: Readable, hash: Hash): AsyncGenerator<Uint8Array> {
  let silentLooks = 0;
  const looks = setInterval(() => {
    silentLooks += 1;
    if (silentLooks === MAX_SILENT_LOOKS)
      body.destroy(Object.assign(new Error('the bucket has stopped sending'), { code: 'ETIMEDOUT' }));
  }, LOOK_MS);
  try {
    for await (const chunk of body) {
      silentLooks = 0;
      hash.update(chunk);
      yield chunk;
    }
  } finally {
    clearInterval(looks);
  }
}

function refusalOf(error: unknown, { because, remedy }: OpenerOptions['refusal']): Condition | undefined {
  if (error instanceof HandlerRefused && !error.needsPython)
    return new Condition('ModelRefused', `the model's script fails: ${error.reason}`, { cause: error });
  const reason = reasonOf(error);
  return reason === undefined
    ? undefined
    : new Condition('ModelRefused', `${because}: ${reason}. ${remedy}`, { cause: error });
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof HandlerRefused) return error.reason;
  return error instanceof Error && ABOUT_THE_MODEL.has(error.name) ? error.message : undefined;
}
