import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AwsError } from '../kernel/aws-error.ts';
import { toKnownError } from '../kernel/known-error.ts';
import { sendS3Error } from '../kernel/send-error.ts';
import type { Service, ServiceRequest } from '../kernel/service.ts';
import { createTokenBuckets } from '../kernel/token-buckets.ts';
import { serviceModel } from '../service-model/model.ts';
import { parseAddress } from './address.ts';
import { chooseOperation } from './choose-operation.ts';
import type { S3Answer, S3Call } from './operation.ts';
import { operations } from './operations.ts';
import { refuseUnemulatedHeaders, toS3Refusal } from './refusals.ts';
import type { ObjectStorage } from './store/object-storage.ts';

/** Up to this size a body is read at once instead of being streamed. */
const SMALL_BYTES = 256 * 1024;

/**
 * S3 over HTTP. It takes every request that is signed for it, and what is not signed at all; of a bucket no more a second than
 * `requestsPerSecond`, if it is given.
 */
export function s3Service(storage: ObjectStorage, requestsPerSecond?: number): Service {
  const model = serviceModel(
    's3',
    operations.map(({ name }) => name),
  );
  const buckets = createTokenBuckets(storage.clock);
  const admit = ({ bucket }: S3Call): void => {
    if (requestsPerSecond === undefined || bucket === '') return;
    if (buckets.take(bucket, { perSecond: requestsPerSecond })) return;
    throw new AwsError('SlowDown', 'Please reduce your request rate.', { statusCode: 503 });
  };
  return {
    name: 's3',
    match: ({ headers, form, signingService }) =>
      signingService === 's3' ||
      (signingService === undefined && headers['x-amz-target'] === undefined && !form),
    async permissions(request) {
      const call = toCall(request);
      const operation = chooseOperation(call);
      if (operation.permissions) return operation.permissions(call, storage);
      throw new AwsError(
        'AccessDenied',
        `The local stack does not know what s3 ${operation.name} asks of a role: say it with the call in packages/laptop/s3/actions/`,
        { statusCode: 403 },
      );
    },
    // Calls that configure a bucket say nothing of permissions: in AWS the root user can always remove a policy that locks all users out.
    async ownerPermissions(request) {
      const call = toCall(request);
      const asked = (await chooseOperation(call).permissions?.(call, storage)) ?? [];
      return asked.filter(({ action }) => action.startsWith('s3:'));
    },
    callOf(request) {
      const call = toCall(request);
      const { bucket, key, headers } = call;
      const { name: operation } = chooseOperation(call);
      return { model, operation, labels: { Bucket: bucket, Key: key }, headers, toRefusal: toS3Refusal };
    },
    async answer(request, response) {
      try {
        const call = toCall(request);
        verifyCaller(call, storage);
        refuseUnemulatedHeaders(call.headers);
        admit(call);
        const answer = await chooseOperation(call).run(call, storage);
        await storage.announced;
        await send(response, request, answer, storage);
      } catch (thrown) {
        if (response.headersSent) throw thrown;
        sendS3Error(response, request, toKnownError(thrown, 'InvalidArgument'));
      }
    },
    close: async () => storage.close(),
  };
}

function toCall(request: ServiceRequest): S3Call {
  const { query } = request;
  return {
    request,
    ...parseAddress(request),
    query,
    headers: { ...hoistedHeaders(query), ...request.headers },
  };
}

/**
 * A presigned URL carries `x-amz-` headers in its query. S3 ignores checksums there: SDKs put the checksum of the empty body there
 * (https://github.com/aws/aws-sdk/issues/480).
 */
function hoistedHeaders(query: URLSearchParams): Readonly<Record<string, string>> {
  if (!query.has('X-Amz-Signature')) return {};
  const names = [...query.keys()].filter((name) => /^x-amz-(?!checksum-|sdk-checksum-)/i.test(name));
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), query.get(name) ?? '']));
}

function verifyCaller({ request, headers }: S3Call, { site }: ObjectStorage): void {
  if (request.accessKeyId === undefined)
    throw new AwsError('AccessDenied', 'Access Denied', { statusCode: 403 });
  for (const name of ['x-amz-expected-bucket-owner', 'x-amz-source-expected-bucket-owner']) {
    const owner = headers[name];
    if (owner === undefined || owner === site.account) continue;
    throw new AwsError('AccessDenied', `The bucket's owner is ${site.account}, not the expected ${owner}`, {
      statusCode: 403,
    });
  }
}

async function send(
  response: ServerResponse,
  request: ServiceRequest,
  answer: S3Answer,
  { bodies }: ObjectStorage,
): Promise<void> {
  const headers: Record<string, string | number> = { 'x-amz-request-id': request.requestId };
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    if (value !== undefined) headers[name] = value;
  const status = answer.status ?? 200;
  if (answer.body) {
    const { segments, size } = answer.body;
    headers['content-length'] = size;
    if (request.method === 'HEAD' || size === 0) response.writeHead(status, headers).end();
    else if (size <= SMALL_BYTES) {
      const bytes = bodies.readNow(segments);
      response.writeHead(status, headers).end(bytes);
    } else {
      const stream = bodies.read(segments);
      response.writeHead(status, headers);
      await pipeline(stream, response).catch(ignoreDeparture);
    }
    return;
  }
  const text = answer.xml ?? answer.text ?? '';
  if (answer.xml !== undefined) headers['content-type'] = 'application/xml';
  if (status !== 204) headers['content-length'] = Buffer.byteLength(text);
  response.writeHead(status, headers).end(text);
}

/** A client that leaves in the middle of a download is not an error. */
function ignoreDeparture(error: unknown): void {
  if (error instanceof Error && Reflect.get(error, 'code') === 'ERR_STREAM_PREMATURE_CLOSE') return;
  throw error;
}
