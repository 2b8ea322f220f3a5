import { promisify } from 'node:util';
import { gunzip as gunzipCallback } from 'node:zlib';
import { type ContainerClient, type InvocationAnswer, NoAnswer } from '../jobs/invoke-container.ts';
import type { CreateTransformJobInput } from '../transform-job-record.ts';
import { ObjectFailure } from './object-failure.ts';
import type { TransformParameters } from './start-instance.ts';

const gunzip = promisify(gunzipCallback);

/** How one object's requests are made. */
export interface Invocation {
  readonly client: ContainerClient;
  readonly job: CreateTransformJobInput;
  readonly parameters: TransformParameters;
  readonly bucket: string;
  readonly key: string;
}

/**
 * Posts one mini-batch; errors of the container, broken connections and late answers are tried again as the job says.
 *
 * @throws {ObjectFailure} for a 4xx answer at once, and for the last try
 */
export async function invokeWithRetries(
  { client, job, parameters, bucket, key }: Invocation,
  body: Buffer,
): Promise<InvocationAnswer> {
  const headers = toHeaders(job, parameters, `${bucket}/${key}`);
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

function toHeaders(
  job: CreateTransformJobInput,
  { maxPayloadInMB }: TransformParameters,
  name: string,
): Record<string, string> {
  const { ContentType } = job.TransformInput;
  const { Accept } = job.TransformOutput;
  return {
    'user-agent': 'Go-http-client/1.1',
    'accept-encoding': 'gzip',
    'x-amzn-sagemaker-input-object': toHeaderValue(name),
    'x-amzn-sagemaker-input-object-base64': Buffer.from(name).toString('base64'),
    ...(maxPayloadInMB === 0 && { 'transfer-encoding': 'chunked' }),
    ...(ContentType !== undefined && { 'content-type': ContentType }),
    ...(Accept !== undefined && { accept: Accept }),
  };
}

/** The service's client asks for gzip on its own, so it also undoes it. */
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
