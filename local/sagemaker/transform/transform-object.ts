import { promisify } from 'node:util';
import { gunzip as gunzipCallback } from 'node:zlib';
import type { ObjectAccess } from '../../gateway/ports.ts';
import type { ObjectFault } from '../transform-faults.ts';
import type { CreateTransformJobInput } from '../transform-job-record.ts';
import { aborted } from './aborted.ts';
import type { DataProcessing } from './data-processing/data-processing.ts';
import type { DataLog } from './data-log.ts';
import type { TransformParameters } from './execution-parameters.ts';
import { inParallel } from './in-parallel.ts';
import type { ContainerClient, InvocationAnswer } from './invoke.ts';
import { NoAnswer } from './invoke.ts';
import type { MiniBatch } from './mini-batches.ts';
import { toMiniBatches } from './mini-batches.ts';
import type { InputRecord } from './split-records.ts';
import { splitRecords } from './split-records.ts';

const gunzip = promisify(gunzipCallback);

/** What became of one input object: its output was stored, or whose fault it was that there is none. */
export type ObjectOutcome = 'done' | 'client-error' | 'algorithm-error';

/** Lets at most so many requests of one instance be under way. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

export interface ObjectTransform {
  readonly objects: ObjectAccess;
  readonly job: CreateTransformJobInput;
  readonly parameters: TransformParameters;
  readonly processing: DataProcessing | undefined;
  readonly client: ContainerClient;
  readonly slots: Slots;
  readonly log: DataLog;
  readonly fault: (key: string) => ObjectFault | undefined;
  readonly stop: AbortSignal;
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
    const fault = transform.fault(key);
    if (fault === 'hang') await aborted(transform.stop);
    if (fault === 'poison') {
      throw new ObjectFailure(
        'algorithm-error',
        'Bad HTTP status received from algorithm: 500',
        'poisoned by the stack',
      );
    }
    const records = splitInput(transform, body);
    const batches = toBatches(transform, records);
    const answers = await inParallel(batches, transform.parameters.maxConcurrentTransforms, (batch) =>
      transform.slots(() => invoke(transform, bucket, key, batch.body)),
    );
    const outputs = processOutputs(transform, records, batches, answers);
    await transform.store(key, assemble(outputs, transform.job.TransformOutput.AssembleWith));
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
    return await gunzip(body);
  } catch (error) {
    throw new ObjectFailure(
      'client-error',
      `ClientError: not gzip: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function splitInput({ job }: ObjectTransform, body: Buffer): readonly InputRecord[] {
  if (body.length === 0) return [];
  return blameInput(() => splitRecords(body, job.TransformInput.SplitType ?? 'None'));
}

function toBatches(
  { job, parameters, processing }: ObjectTransform,
  records: readonly InputRecord[],
): readonly MiniBatch[] {
  return blameInput(() =>
    toMiniBatches(processing ? records.map(processing.filterInput) : records, {
      splitType: job.TransformInput.SplitType ?? 'None',
      strategy: parameters.batchStrategy,
      maxPayloadBytes: parameters.maxPayloadInMB * 1024 * 1024,
    }),
  );
}

/** What is wrong with the bytes of an object is the client's fault, in the words of the data log. */
function blameInput<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ObjectFailure(
      'client-error',
      `ClientError: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function processOutputs(
  { processing }: ObjectTransform,
  records: readonly InputRecord[],
  batches: readonly MiniBatch[],
  answers: readonly InvocationAnswer[],
): readonly Buffer[] {
  if (!processing) return answers.map(({ body }) => body);
  return blameInput(() => {
    let start = 0;
    return answers.map(({ body }, index) => {
      const end = start + (batches[index]?.records ?? 0);
      const output = processing.toOutput(records.slice(start, end), body);
      start = end;
      return output;
    });
  });
}

async function invoke(
  transform: ObjectTransform,
  bucket: string,
  key: string,
  body: Buffer,
): Promise<InvocationAnswer> {
  const { job, client, parameters } = transform;
  const name = `${bucket}/${key}`;
  const headers: Record<string, string> = {
    'user-agent': 'Go-http-client/1.1',
    'accept-encoding': 'gzip',
    'x-amzn-sagemaker-input-object': toHeaderValue(name),
    'x-amzn-sagemaker-input-object-base64': Buffer.from(name).toString('base64'),
  };
  if (parameters.maxPayloadInMB === 0) headers['transfer-encoding'] = 'chunked';
  if (job.TransformInput.ContentType !== undefined) headers['content-type'] = job.TransformInput.ContentType;
  if (job.TransformOutput.Accept !== undefined) headers['accept'] = job.TransformOutput.Accept;
  const { InvocationsTimeoutInSeconds = 600, InvocationsMaxRetries = 3 } = job.ModelClientConfig ?? {};
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= InvocationsMaxRetries;
    try {
      const answer = await decode(await client.invoke(body, headers, InvocationsTimeoutInSeconds * 1000));
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

/** The service's client asks for gzip by itself, so it also undoes it. */
async function decode(answer: InvocationAnswer): Promise<InvocationAnswer> {
  if (answer.headers['content-encoding']?.toLowerCase() !== 'gzip') return answer;
  try {
    return { ...answer, body: await gunzip(answer.body) };
  } catch (error) {
    throw new NoAnswer(error instanceof Error ? error.message : String(error), false);
  }
}

/** Node refuses header values beyond Latin-1; the Base64 header carries the exact key. */
function toHeaderValue(name: string): string {
  return Buffer.from(name, 'utf8')
    .toString('latin1')
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}

const NEWLINE = Buffer.from('\n');

function assemble(outputs: readonly Buffer[], assembleWith: 'None' | 'Line' = 'None'): Buffer {
  const [only] = outputs;
  if (assembleWith === 'None' && outputs.length === 1 && only) return only;
  return Buffer.concat(outputs.flatMap((body) => (assembleWith === 'Line' ? [body, NEWLINE] : [body])));
}
