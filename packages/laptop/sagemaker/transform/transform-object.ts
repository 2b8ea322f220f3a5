import type { ObjectAccess } from '../../kernel/ports.ts';
import type { ObjectFault } from '../faults.ts';
import { aborted } from '../jobs/aborted.ts';
import type { ContainerClient } from '../jobs/invoke-container.ts';
import { resultsInOrder, type Slots } from '../jobs/results-in-order.ts';
import type { CreateTransformJobInput } from '../transform-job-record.ts';
import type { DataLog } from './data-log.ts';
import type { DataProcessing } from './data-processing/data-processing.ts';
import { invokeWithRetries } from './invoke-with-retries.ts';
import { type MiniBatch, toMiniBatches } from './mini-batches.ts';
import { blameBytes, ObjectFailure, type ObjectOutcome } from './object-failure.ts';
import { readInput } from './read-input.ts';
import { type InputRecord, splitRecords } from './split-records.ts';
import type { TransformParameters } from './start-instance.ts';

/** Dependencies of the objects in one instance's part of a job. */
export interface ObjectTransform {
  readonly objects: ObjectAccess;
  readonly job: CreateTransformJobInput;
  readonly parameters: TransformParameters;
  readonly processing: DataProcessing | undefined;
  readonly client: ContainerClient;
  /** Slots of this instance, the cap on its concurrent requests. */
  readonly slots: Slots;
  readonly log: DataLog;
  readonly fault: (key: string) => ObjectFault | undefined;
  readonly stop: AbortSignal;
  readonly store: (key: string, output: AsyncIterable<Buffer>) => Promise<void>;
}

/** Answers of one object that wait for an earlier one, for each request that the instance makes at a time. */
const WINDOW = 4;

/**
 * Reads, splits, sends, assembles and stores one object, with a few mini-batches and answers in memory at a time. A failure of any
 * mini-batch leaves the object without output.
 */
export async function transformObject(
  transform: ObjectTransform,
  bucket: string,
  key: string,
): Promise<ObjectOutcome> {
  const { client, job, parameters } = transform;
  try {
    const fault = transform.fault(key);
    if (fault === 'hang') await aborted(transform.stop);
    if (fault === 'poison')
      throw new ObjectFailure(
        'algorithm-error',
        'Bad HTTP status received from algorithm: 500',
        'poisoned by the stack',
      );
    const invocation = { client, job, parameters, bucket, key };
    const window = WINDOW * Math.max(1, parameters.maxConcurrentTransforms);
    const outputs = resultsInOrder(
      readBatches(transform, bucket, key),
      { slots: transform.slots, window },
      async (batch) => toOutput(transform, batch, (await invokeWithRetries(invocation, batch.body)).body),
    );
    await transform.store(key, assemble(outputs, job.TransformOutput.AssembleWith));
    return 'done';
  } catch (error) {
    if (!(error instanceof ObjectFailure)) throw error;
    transform.log.failure(bucket, key, error.message, error.detail);
    return error.outcome;
  }
}

async function* readBatches(
  { objects, job, parameters, processing }: ObjectTransform,
  bucket: string,
  key: string,
): AsyncGenerator<MiniBatch> {
  const { SplitType: splitType = 'None', CompressionType } = job.TransformInput;
  const maxPayloadBytes =
    parameters.maxPayloadInMB === 0 ? Infinity : parameters.maxPayloadInMB * 1024 * 1024;
  const strategy = parameters.batchStrategy;
  const filter = processing && ((record: InputRecord) => blameBytes(() => processing.filterInput(record)));
  const whole = splitType === 'None' && CompressionType !== 'Gzip';
  const chunks = readInput(objects, bucket, key, { gzip: CompressionType === 'Gzip', whole });
  const records = splitRecords(chunks, splitType, maxPayloadBytes);
  yield* toMiniBatches(records, { splitType, strategy, maxPayloadBytes, filter });
}

function toOutput({ processing }: ObjectTransform, { records }: MiniBatch, answer: Buffer): Buffer {
  return processing ? blameBytes(() => processing.toOutput(records, answer)) : answer;
}

const NEWLINE = Buffer.from('\n');

async function* assemble(
  outputs: AsyncIterable<Buffer>,
  assembleWith: 'None' | 'Line' = 'None',
): AsyncGenerator<Buffer> {
  for await (const body of outputs) yield assembleWith === 'Line' ? Buffer.concat([body, NEWLINE]) : body;
}
