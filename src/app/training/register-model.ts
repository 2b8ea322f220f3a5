import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { ARCHIVES, layoutProblems } from '../../frameworks/archives.ts';
import type { AddedFile } from '../../model/append-to-tar.ts';
import { contentDigest } from '../../model/content-digest.ts';
import { readArchive } from '../../model/read-archive.ts';
import { tarFiles } from '../../model/tar-files.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { Condition } from '../../problem/conditions.ts';
import { problemLine } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { codeBeside } from '../../training/code-beside.ts';
import type { TrainingJobRecord } from '../../training/training-job-record.ts';
import { writtenByJob } from '../../training/written-by-job.ts';
import { packArchive } from '../plan/write/pack-archive.ts';
import { type Registered, registeredJson } from '../records/training.ts';
import { lastTrainingJob } from '../records/training-jobs.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { packagedSourceJson } from '../records/training-work.ts';
import { keepArchive } from '../run/keep-archive.ts';
import { useCase } from '../use-case.ts';
import { countChangedFiles } from './changed-files.ts';

interface RegisterModelServices {
  readonly store: ObjectStore;
}

/** An archive in the application's bucket. */
interface Archive {
  readonly key: string;
  readonly etag: string;
  readonly versionId?: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly files: readonly string[];
}

/**
 * State `RegisterModel`: stores the archive of the training job by its digest, with the source's handler added to the model if it
 * has no handler, and judges its layout as PlanRun does.
 *
 * @throws `ModelMissing` if the job left no archive
 * @throws `ModelReplaced` if its archive isn't the one that the job has written
 * @throws `ModelUnusable` if no inference container would serve it
 */
export const registerModel = useCase({
  /** Sent by state `RegisterModel` after the job has ended. */
  input: z.object({ run: RunParts }),
  /** Digest and size in bytes of the stored archive, for people: later states read registered.json. */
  output: z.object({ sha256: z.string(), bytes: z.int().positive() }),
})(async ({ run }, { store }: RegisterModelServices) => {
  const [plan, job, pipelineText] = await Promise.all([
    trainingPlanJson(run).require(store),
    lastTrainingJob(store, run),
    store.readText(bucketLayout.pipelineConfig(run.pipeline)),
  ]);
  const trained = await openTrained(store, job);
  const config = parsePipelineConfig(pipelineText ?? '');
  const { networkIsolation, framework } = ('value' in config ? config.value : config.repaired)?.model ?? {
    networkIsolation: true,
  };
  const code = await sourceFiles(store, run);
  const addedCode = codeBeside(
    trained.files,
    code.map(({ name }) => name),
    { networkIsolation },
  );
  const own = code
    .filter(({ name }) => addedCode.includes(name))
    .map(({ name, body }) => ({ name: `code/${name}`, body }));
  const added =
    own.length === 0 && framework !== undefined ? ARCHIVES[framework].ownHandler(trained.files) : own;
  const archive = added.length === 0 ? trained : await pack(store, run, trained, added);
  const { sha256, sizeBytes: bytes, key, etag, versionId } = archive;
  const kept = { bucket: store.bucket, key, etag, ...(versionId !== undefined && { versionId }) };
  if (!(await keepArchive(store, sha256, kept)))
    throw new Condition('ModelMissing', `s3://${store.bucket}/${key} was replaced while it was registered`);
  const stored = await store.readStream(bucketLayout.model(sha256));
  const registered: Registered = {
    schema: 1,
    sha256,
    content: stored === undefined ? null : await contentDigest(stored),
    bytes,
    artifact: `s3://${store.bucket}/${trained.key}`,
    job: job?.jobName ?? '',
    addedCode: added.map(({ name }) => name.slice('code/'.length)),
    changedInputs: await countChangedFiles(store, run, plan),
  };
  await registeredJson(run).write(store, registered);
  const wrong =
    'value' in config && config.value !== undefined
      ? servingProblems(archive.files, config.value)
      : config.problems.map(problemLine);
  if (wrong.length > 0) {
    const kept = `s3://${store.bucket}/${bucketLayout.model(sha256)}`;
    throw new Condition('ModelUnusable', `${kept}, the model of the training: ${wrong.join('; ')}`);
  }
  return { sha256, bytes };
});

async function openTrained(store: ObjectStore, job: TrainingJobRecord | undefined): Promise<Archive> {
  const missing = (where: string): Condition =>
    new Condition(
      'ModelMissing',
      `${where}: SageMaker stores a model only if the script wrote files below SM_MODEL_DIR (/opt/ml/model)`,
    );
  const artifact = job?.artifact;
  if (job === undefined || artifact === undefined)
    throw missing('the training job names no archive of a model');
  const prefix = `s3://${store.bucket}/`;
  if (!artifact.startsWith(prefix)) throw missing(`${artifact} is not in the bucket of the application`);
  const key = artifact.slice(prefix.length);
  const written = writtenByJob(await store.versions(key), job);
  if (written === undefined) throw missing(`${artifact} is not there`);
  if ('problem' in written) throw new Condition('ModelReplaced', `${artifact} ${written.problem}`);
  const { versionId } = written;
  const found = await store.open(key, versionId);
  if (found === undefined) throw missing(`version ${versionId} of ${artifact} is not there any more`);
  const archive = await readArchive(found.body);
  if ('reason' in archive) throw new Condition('ModelUnusable', `${artifact} ${archive.reason}`);
  return { key, etag: found.etag, versionId, ...archive };
}

/** The files of the job's source; few and small, as SageMaker's own tools assume. */
async function sourceFiles(store: ObjectStore, run: RunParts): Promise<readonly AddedFile[]> {
  const { sha256 } = await packagedSourceJson(run).require(store);
  const key = bucketLayout.source(sha256);
  const packed = await store.readStream(key);
  if (packed === undefined)
    throw new Condition('RunFileMissing', `${key} is not there: it was the source of the training`);
  const files: AddedFile[] = [];
  await pipeline(packed, createGunzip(), async (unpacked: AsyncIterable<Uint8Array>) => {
    for await (const { name, body } of tarFiles(unpacked)) {
      const bytes = (await body.take(body.left)) ?? new Uint8Array();
      files.push({ name: name.replace(/^(\.\/)+/, ''), body: bytes });
    }
  });
  return files;
}

async function pack(
  store: ObjectStore,
  run: RunParts,
  trained: Archive,
  added: readonly AddedFile[],
): Promise<Archive> {
  const packed = await packArchive(store, trained, bucketLayout.packed(run), added);
  if (packed === undefined)
    throw new Condition('ModelMissing', `s3://${store.bucket}/${trained.key} was removed`);
  return { ...packed, files: [...trained.files, ...added.map(({ name }) => name)] };
}

/** Why the pipeline's inference container would not serve the files. */
function servingProblems(files: readonly string[], { model, transform }: PipelineConfig): string[] {
  if (model.image !== null) return [];
  const { framework, frameworkVersion, environment, images, networkIsolation } = model;
  const image = { framework, frameworkVersion, environment, images, networkIsolation };
  return layoutProblems(files, { ...image, contentType: transform.contentType });
}
