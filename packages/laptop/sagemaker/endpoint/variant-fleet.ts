import type { StartContainer } from '@inferdrop/model-container/container';
import type { Clock } from '../../kernel/clock.ts';
import type { LogWriter, ObjectAccess } from '../../kernel/ports.ts';
import type { ContainerClient, InvocationAnswer } from '../jobs/invoke-container.ts';
import type { ModelRecord } from '../model-record.ts';
import type { HostedVariant } from './endpoint-record.ts';

/** One request as a container is sent it. */
export interface ContainerRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The containers of one production variant. */
export interface VariantFleet {
  readonly variant: HostedVariant;
  /** In bytes; what a request may bring. */
  readonly largestBody: number;
  /**
   * Resolves when the variant can take requests.
   *
   * @throws {EndpointFailure} if it never can
   */
  start(): Promise<void>;
  /**
   * Counts as under way from the call on.
   *
   * @throws {AwsError} `ThrottlingException`, `ModelNotReadyException`, `ServiceUnavailable`
   * @throws {NoAnswer} if the connection broke or the time was over
   */
  invoke(request: ContainerRequest): Promise<VariantAnswer>;
  /** Resolves when nothing is under way. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

/** A container's answer to InvokeEndpoint. */
export interface VariantAnswer extends InvocationAnswer {
  /** Time that the container itself took. */
  readonly modelLatencyMs: number;
}

/** SageMaker waits a minute for a container's answer. */
export const INVOCATION_TIMEOUT_MS = 60_000;

/** Sends a request to a container and measures how long its answer takes. */
export async function invokeContainer(
  client: ContainerClient,
  { body, headers }: ContainerRequest,
): Promise<VariantAnswer> {
  const started = performance.now();
  const answer = await client.invoke(body, headers, INVOCATION_TIMEOUT_MS);
  return { ...answer, modelLatencyMs: performance.now() - started };
}

/** Dependencies of every fleet of containers. */
export interface FleetOptions {
  /** Objects that the role of a model may read. */
  readonly objectsOf: (model: ModelRecord) => ObjectAccess;
  readonly logs: LogWriter;
  readonly clock: Clock;
  readonly startContainer: StartContainer;
  /** Where archives are unpacked while containers run. */
  readonly workDir: string;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** How long a serverless variant stays warm without requests. */
  readonly serverlessIdleMs: number;
}
