import { gunzipSync } from 'node:zlib';
import type { ObjectAccess } from '../../gateway/ports.ts';
import type { CreateTransformJobInput } from '../transform-job-record.ts';
import type { DataLog } from './data-log.ts';
import type { TransformParameters } from './execution-parameters.ts';
import type { ContainerClient, InvocationAnswer } from './invoke.ts';
import { NoAnswer } from './invoke.ts';
import { PayloadTooLarge, toMiniBatches } from './mini-batches.ts';
import { BadRecord, splitRecords } from './split-records.ts';

/** What became of one input object: its output was stored, or whose fault it was that there is none. */
export type ObjectOutcome = 'done' | 'client-error' | 'algorithm-error';

/** Lets at most so many requests of one instance be under way. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

export interface ObjectTransform {
  readonly objects: ObjectAccess;
  readonly job: CreateTransformJobInput;
  readonly parameters: TransformParameters;
  readonly client: ContainerClient;
  readonly slots: Slots;
  readonly log: DataLog;
  readonly poisoned: (key: string) => boolean;
  readonly store: (key: string, output: Buffer) => Promise<void>;
}

/** The object has no output; `reason` and `detail` go to the data log. */
class ObjectFailure extends Error {
  readonly outcome: ObjectOutcome;
  readonly detail: string | undefined;

  constructor(outcome: ObjectOutcome, reason: string, detail?: string) {
    super(reason);
    this.outcome = outcome;
    this.detail = detail;
  }
}

/** Reads, splits, sends, assembles and stores one object. A failure of any mini-batch leaves the object without output. */
export async function transformObject(
  transform: ObjectTransform,
  bucket: string,
  key: string,
): Promise<ObjectOutcome> {
  try {
    const body = await readInput(transform, bucket, key);
    const batches = body.length === 0 ? [] : splitInput(transform, body);
    const answers = await Promise.all(
      batches.map((batch) => transform.slots(() => invoke(transform, bucket, key, batch))),
    );
    await transform.store(key, assemble(answers, transform.job.TransformOutput.AssembleWith));
    return 'done';
  } catch (error) {
    if (!(error instanceof ObjectFailure)) throw error;
    transform.log.failure(bucket, key, error.message, error.detail);
    return error.outcome;
  }
}

async function readInput({ objects, job }: ObjectTransform, bucket: string, key: string): Promise<Buffer> {
  const body = await objects.read(bucket, key);
  if (body === undefined)
    throw new ObjectFailure('client-error', 'ClientError: 404', 'The object does not exist');
  if (job.TransformInput.CompressionType !== 'Gzip' || body.length === 0) return body;
  try {
    return gunzipSync(body);
  } catch (error) {
    throw new ObjectFailure(
      'client-error',
      `ClientError: not gzip: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function splitInput({ job, parameters }: ObjectTransform, body: Buffer): readonly Buffer[] {
  const splitType = job.TransformInput.SplitType ?? 'None';
  try {
    return toMiniBatches(splitRecords(body, splitType), {
      splitType,
      strategy: parameters.batchStrategy,
      maxPayloadBytes: parameters.maxPayloadInMB * 1024 * 1024,
    });
  } catch (error) {
    if (error instanceof PayloadTooLarge || error instanceof BadRecord) {
      throw new ObjectFailure('client-error', `ClientError: ${error.message}`);
    }
    throw error;
  }
}

async function invoke(
  transform: ObjectTransform,
  bucket: string,
  key: string,
  body: Buffer,
): Promise<InvocationAnswer> {
  const { job, client, poisoned } = transform;
  if (poisoned(key))
    throw new ObjectFailure(
      'algorithm-error',
      'Bad HTTP status received from algorithm: 500',
      'poisoned by the stack',
    );
  const name = `${bucket}/${key}`;
  const headers: Record<string, string> = {
    'user-agent': 'Go-http-client/1.1',
    'accept-encoding': 'gzip',
    'x-amzn-sagemaker-input-object': toHeaderValue(name),
    'x-amzn-sagemaker-input-object-base64': Buffer.from(name).toString('base64'),
  };
  if (job.TransformInput.ContentType !== undefined) headers['content-type'] = job.TransformInput.ContentType;
  if (job.TransformOutput.Accept !== undefined) headers['accept'] = job.TransformOutput.Accept;
  const { InvocationsTimeoutInSeconds = 600, InvocationsMaxRetries = 3 } = job.ModelClientConfig ?? {};
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= InvocationsMaxRetries;
    try {
      const answer = await client.invoke(body, headers, InvocationsTimeoutInSeconds * 1000);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const text = answer.body.toString('utf8');
      if (answer.status < 500) throw new ObjectFailure('client-error', `ClientError: ${answer.status}`, text);
      if (last)
        throw new ObjectFailure(
          'algorithm-error',
          `Bad HTTP status received from algorithm: ${answer.status}`,
          text,
        );
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (last) {
        const reason = error.timedOut
          ? `Model server did not respond to /invocations request within ${InvocationsTimeoutInSeconds} seconds`
          : 'Unable to get response from algorithm';
        throw new ObjectFailure('algorithm-error', reason);
      }
    }
  }
}

/** Node refuses header values beyond Latin-1; the Base64 header carries the exact key. */
function toHeaderValue(name: string): string {
  return Buffer.from(name, 'utf8')
    .toString('latin1')
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}

const NEWLINE = Buffer.from('\n');

function assemble(answers: readonly InvocationAnswer[], assembleWith: 'None' | 'Line' = 'None'): Buffer {
  const [only] = answers;
  if (assembleWith === 'None' && answers.length === 1 && only) return only.body;
  return Buffer.concat(answers.flatMap(({ body }) => (assembleWith === 'Line' ? [body, NEWLINE] : [body])));
}
