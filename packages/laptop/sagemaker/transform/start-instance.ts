import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { type Container, ContainerExited, type StartContainer } from '@inferdrop/model-container/container';
import { aborted } from '../jobs/aborted.ts';
import { type ContainerClient, createContainerClient, NoAnswer } from '../jobs/invoke-container.ts';
import { FAILURE, JobFailure } from '../jobs/job-failure.ts';
import type { CreateTransformJobInput } from '../transform-job-record.ts';

/** One healthy container and how to speak to it. */
interface Instance {
  readonly container: Container;
  readonly client: ContainerClient;
  readonly parameters: TransformParameters;
}

interface InstanceOptions {
  readonly startContainer: StartContainer;
  readonly image: string;
  readonly modelDir: string;
  /** Cores of this computer, shared by the instances of the job. */
  readonly cores: number;
  readonly job: CreateTransformJobInput;
  readonly modelEnvironment: Readonly<Record<string, string>>;
  readonly networkIsolation: boolean;
  readonly log: (line: string) => void;
  readonly stop: AbortSignal;
}

const PING_TIMEOUT_MS = 2_000;
const PING_INTERVAL_MS = 1_000;
const PING_DEADLINE_MS = 30 * 60_000;
/** A ping is sent again, this request is not: a container of a busy machine may be slow once. */
const PARAMETERS_TIMEOUT_MS = 5 * 60_000;

/**
 * Starts a container, pings it until it is healthy, and asks for its execution parameters once.
 *
 * @throws {JobFailure} if the container exits, stays unhealthy for half an hour, or answers for its parameters against the protocol
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { job, stop } = options;
  const container = options.startContainer({
    image: options.image,
    modelDir: options.modelDir,
    cores: options.cores,
    environment: toEnvironment(job, options.modelEnvironment),
    networkIsolation: options.networkIsolation,
    log: options.log,
  });
  try {
    const base = await Promise.race([container.listening, aborted(stop)]);
    const client = createContainerClient(base, AbortSignal.any([stop, container.ended]));
    await waitForPing(client);
    return { container, client, parameters: readParameters(job, await askForParameters(client)) };
  } catch (error) {
    await container.stop();
    if (error instanceof ContainerExited)
      throw new JobFailure(`${FAILURE.ping} (the container ended: ${error.message})`);
    throw error;
  }
}

/** The container's answer; undefined if it has no answer with status 200. */
async function askForParameters(client: ContainerClient): Promise<string | undefined> {
  try {
    const { status, body } = await client.get('/execution-parameters', PARAMETERS_TIMEOUT_MS);
    return status === 200 ? body.toString('utf8') : undefined;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new JobFailure(`AlgorithmError: /execution-parameters of the container: ${error.message}`);
  }
}

function readParameters(job: CreateTransformJobInput, answered: string | undefined): TransformParameters {
  try {
    return resolveParameters(job, answered);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JobFailure(
      `AlgorithmError: /execution-parameters of the container is not as the protocol asks: ${reason}`,
    );
  }
}

async function waitForPing(client: ContainerClient): Promise<void> {
  const deadline = performance.now() + PING_DEADLINE_MS;
  for (;;) {
    try {
      if ((await client.get('/ping', PING_TIMEOUT_MS)).status === 200) return;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
    if (performance.now() > deadline) throw new JobFailure(FAILURE.ping);
    await sleep(PING_INTERVAL_MS);
  }
}

/** The service's variables, then the model's, then the job's own. */
function toEnvironment(
  job: CreateTransformJobInput,
  modelEnvironment: Readonly<Record<string, string>>,
): Record<string, string> {
  const { MaxPayloadInMB, BatchStrategy, MaxConcurrentTransforms } = job;
  const environment: Record<string, string> = { SAGEMAKER_BATCH: 'true' };
  if (MaxPayloadInMB !== undefined) environment['SAGEMAKER_MAX_PAYLOAD_IN_MB'] = String(MaxPayloadInMB);
  if (MaxConcurrentTransforms !== undefined)
    environment['SAGEMAKER_MAX_CONCURRENT_TRANSFORMS'] = String(MaxConcurrentTransforms);
  if (BatchStrategy !== undefined)
    environment['SAGEMAKER_BATCH_STRATEGY'] =
      BatchStrategy === 'SingleRecord' ? 'SINGLE_RECORD' : 'MULTI_RECORD';
  return { ...environment, ...modelEnvironment, ...job.Environment };
}

/** How requests are made, after every source was asked. */
export interface TransformParameters {
  readonly maxConcurrentTransforms: number;
  readonly maxPayloadInMB: number;
  readonly batchStrategy: 'MultiRecord' | 'SingleRecord';
}

const ExecutionParameters = z.object({
  MaxConcurrentTransforms: z.int().min(1).optional(),
  BatchStrategy: z.enum(['MULTI_RECORD', 'SINGLE_RECORD']).optional(),
  MaxPayloadInMB: z.int().min(0).optional(),
});

/**
 * The job's own value comes first, then the container's `/execution-parameters`, then the defaults 1, 6 and MultiRecord.
 *
 * @throws {z.ZodError | SyntaxError} if the container answers 200 with anything else than the parameters
 */
function resolveParameters(
  input: CreateTransformJobInput,
  answered: string | undefined,
): TransformParameters {
  const own = answered === undefined ? {} : ExecutionParameters.parse(JSON.parse(answered));
  const strategy = own.BatchStrategy === 'SINGLE_RECORD' ? 'SingleRecord' : 'MultiRecord';
  return {
    maxConcurrentTransforms: input.MaxConcurrentTransforms || own.MaxConcurrentTransforms || 1,
    maxPayloadInMB: input.MaxPayloadInMB ?? own.MaxPayloadInMB ?? 6,
    batchStrategy: input.BatchStrategy ?? strategy,
  };
}
