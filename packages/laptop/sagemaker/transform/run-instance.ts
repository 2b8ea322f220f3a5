import { createHash } from 'node:crypto';
import { aborted } from '../jobs/aborted.ts';
import { inParallel } from '../jobs/in-parallel.ts';
import type { InputObjects } from '../jobs/input-objects.ts';
import { FAILURE, JobFailure } from '../jobs/job-failure.ts';
import { createSlots } from '../jobs/results-in-order.ts';
import type { ContainerDefinition } from '../model-record.ts';
import type { CreateTransformJobInput } from '../transform-job-record.ts';
import { createDataLog, LOG_GROUP } from './data-log.ts';
import { createDataProcessing } from './data-processing/data-processing.ts';
import type { JobOutputs } from './job-outputs.ts';
import type { ObjectOutcome } from './object-failure.ts';
import { startInstance } from './start-instance.ts';
import type { TransformJobRunner } from './transform-job-runner.ts';
import { type ObjectTransform, transformObject } from './transform-object.ts';

interface InstanceRun {
  readonly runner: TransformJobRunner;
  readonly job: CreateTransformJobInput;
  readonly container: ContainerDefinition & { readonly Image: string };
  readonly networkIsolation: boolean;
  readonly modelDir: string;
  /** The part of the job's objects that belongs to this instance. */
  readonly inputs: InputObjects;
  readonly index: number;
  /** Cores of this computer, for this instance. */
  readonly cores: number;
  readonly outputs: JobOutputs;
  readonly stop: AbortSignal;
  /** Called when the container is healthy; resolves when all instances' containers are. */
  readonly healthy: () => Promise<void>;
  /** Called after each stored output. */
  readonly stored: () => void;
}

/** Objects that are read ahead, so that the container never waits for the disk. */
const READ_AHEAD = 2;

/**
 * Runs one instance's part of a job.
 *
 * @throws {JobFailure} if the container does not start, or the output's bucket is not there
 */
export async function runInstance(run: InstanceRun): Promise<readonly ObjectOutcome[]> {
  const { runner, job, inputs, stop } = run;
  const stream = toLogStream(job.TransformJobName, run.index);
  const instance = await startInstance({
    startContainer: runner.startContainer,
    image: run.container.Image,
    modelDir: run.modelDir,
    cores: run.cores,
    job,
    modelEnvironment: run.container.Environment ?? {},
    networkIsolation: run.networkIsolation,
    log: (line) => runner.logs.write(LOG_GROUP, stream, line),
    stop,
  });
  try {
    await Promise.race([run.healthy(), aborted(stop)]);
    const { parameters, client } = instance;
    const log = createDataLog(runner.logs, runner.clock, stream);
    log.settings(parameters.maxConcurrentTransforms, parameters.maxPayloadInMB, parameters.batchStrategy);
    const transform: ObjectTransform = {
      objects: runner.objects,
      job,
      parameters,
      processing: createDataProcessing(job),
      client,
      slots: createSlots(parameters.maxConcurrentTransforms),
      log,
      fault: (key) => runner.faults.object?.(key, job.TransformJobName),
      stop,
      store: async (key, output) => {
        stop.throwIfAborted();
        await run.outputs.store(key, untilStopped(output, stop));
        run.stored();
      },
    };
    return await inParallel(inputs.keys, parameters.maxConcurrentTransforms + READ_AHEAD, async (key) => {
      stop.throwIfAborted();
      return transformObject(transform, inputs.bucket, key);
    });
  } catch (error) {
    if (!instance.container.ended.aborted || stop.aborted) throw error;
    const reason: unknown = instance.container.ended.reason;
    throw new JobFailure(
      `${FAILURE.algorithm} (${reason instanceof Error ? reason.message : String(reason)})`,
    );
  } finally {
    instance.client.close();
    await instance.container.stop();
  }
}

/** Throws the reason of the stop if that comes before the last piece: a stopped job stores nothing more. */
async function* untilStopped(output: AsyncIterable<Buffer>, stop: AbortSignal): AsyncGenerator<Buffer> {
  yield* output;
  stop.throwIfAborted();
}

/** Log stream of an instance. The instance's id is like EC2's, but the same for the same job and place, so that it can be named. */
export function toLogStream(jobName: string, index: number): string {
  const id = createHash('sha256').update(`${jobName}/${index}`).digest('hex').slice(0, 17);
  return `${jobName}/i-${id}`;
}
