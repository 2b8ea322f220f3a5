import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ImageRefused } from '@inferdrop/model-container/container';
import type { ObjectAccess } from '../../kernel/ports.ts';
import type { JobFault } from '../faults.ts';
import { BadManifest, type InputObjects, listInputObjects, partitionKeys } from '../jobs/input-objects.ts';
import { FAILURE, JobFailure } from '../jobs/job-failure.ts';
import { unpackModel } from '../jobs/unpack-model.ts';
import type { ContainerDefinition, ModelRecord } from '../model-record.ts';
import { isAccessDenied } from '../objects-as-role.ts';
import type { CreateTransformJobInput, TransformJobRecord } from '../transform-job-record.ts';
import { LOG_GROUP } from './data-log.ts';
import { createJobOutputs } from './job-outputs.ts';
import { runInstance, toLogStream } from './run-instance.ts';
import { type JobProgress, StopRequested } from './running-jobs.ts';
import type { TransformJobRunner } from './transform-job-runner.ts';

/**
 * Does the whole work of one job: list, unpack, start a container for each instance, transform, stop them.
 *
 * @throws {JobFailure} if the job as a whole failed, or any of its objects did
 */
export async function runTransformJob(
  runner: TransformJobRunner,
  { input: job }: TransformJobRecord,
  model: ModelRecord,
  fault: JobFault | undefined,
  progress: JobProgress,
): Promise<void> {
  if (fault === 'capacity') throw new JobFailure(FAILURE.capacity);
  if (fault === 'nothing') throw new JobFailure(FAILURE.internal);
  try {
    await runInstances(
      runner,
      job,
      model,
      progress,
      fault === 'stopped' ? progress.requestStop : () => undefined,
    );
  } catch (error) {
    const isClients = error instanceof ImageRefused || isAccessDenied(error);
    const failure = isClients ? new JobFailure(`ClientError: ${error.message}`) : error;
    if (failure instanceof JobFailure)
      runner.logs.write(LOG_GROUP, toLogStream(job.TransformJobName, 0), failure.message);
    throw failure;
  }
}

async function runInstances(
  runner: TransformJobRunner,
  job: CreateTransformJobInput,
  model: ModelRecord,
  progress: JobProgress,
  stored: () => void,
): Promise<void> {
  const container = onlyContainer(model);
  const inputs = await listInputs(runner.objects, job);
  const outputs = createJobOutputs(runner.objects, job, inputs.prefix);
  await mkdir(runner.workDir, { recursive: true });
  const modelDir = await mkdtemp(join(runner.workDir, 'model-'));
  try {
    await unpackModel(
      runner.objects,
      container.ModelDataUrl,
      modelDir,
      (message) => new JobFailure(`ClientError: ${message}`),
    );
    // An instance without objects would sit idle: it is not started here.
    const parts = partitionKeys(inputs.keys, job.TransformResources.InstanceCount).filter(
      (keys) => keys.length > 0,
    );
    const healthy = whenAllAre(parts.length, () => progress.started());
    const outcomes = await everyInstance(
      parts.map(
        (keys, index) => (failed: AbortSignal) =>
          runInstance({
            runner,
            job,
            container,
            modelDir,
            networkIsolation: model.input.EnableNetworkIsolation ?? false,
            inputs: { ...inputs, keys },
            index,
            outputs,
            stop: AbortSignal.any([progress.stop, failed]),
            healthy,
            stored,
            cores: Math.max(1, Math.floor(availableParallelism() / parts.length)),
          }),
      ),
    );
    progress.stop.throwIfAborted();
    const failures = outcomes.flat().filter((outcome) => outcome !== 'done');
    if (failures.length > 0)
      throw new JobFailure(failures.includes('algorithm-error') ? FAILURE.algorithm : FAILURE.client);
  } catch (error) {
    if (progress.stop.reason instanceof StopRequested) await outputs.discard();
    throw error;
  } finally {
    await rm(modelDir, { recursive: true, force: true });
  }
}

/** Resolves for all of `count` callers when the last of them has called, which is reported first. */
function whenAllAre(count: number, report: () => void): () => Promise<void> {
  const ready = Promise.withResolvers<void>();
  let missing = count;
  return () => {
    missing--;
    if (missing === 0) {
      report();
      ready.resolve();
    }
    return ready.promise;
  };
}

/** The first instance that fails as a whole stops the others; all have finished when this returns. */
async function everyInstance<T>(
  starts: readonly ((failed: AbortSignal) => Promise<T>)[],
): Promise<readonly T[]> {
  const abort = new AbortController();
  let first: unknown;
  const results = await Promise.allSettled(
    starts.map((start) =>
      start(abort.signal).catch((error: unknown) => {
        first ??= error;
        abort.abort(new Error('another instance failed'));
        throw error;
      }),
    ),
  );
  if (first !== undefined) throw first;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function onlyContainer(model: ModelRecord): ContainerDefinition & { readonly Image: string } {
  const containers = model.input.Containers ?? [];
  if (containers.length > 1)
    throw new JobFailure(
      'ClientError: inference pipelines of several containers are not emulated by this stack',
    );
  const container = model.input.PrimaryContainer ?? containers[0];
  if (container?.Image === undefined)
    throw new JobFailure(
      'ClientError: models made of a model package are not emulated by this stack: give the image',
    );
  return { ...container, Image: container.Image };
}

async function listInputs(objects: ObjectAccess, job: CreateTransformJobInput): Promise<InputObjects> {
  try {
    return await listInputObjects(objects, job.TransformInput.DataSource.S3DataSource);
  } catch (error) {
    if (!(error instanceof BadManifest)) throw error;
    throw new JobFailure(`ClientError: ${error.message}`);
  }
}
