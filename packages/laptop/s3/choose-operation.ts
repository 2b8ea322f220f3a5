import { AwsError } from '../kernel/aws-error.ts';
import type { S3Call, S3Operation } from './operation.ts';
import { operations } from './operations.ts';

/**
 * Parameters of signatures and SDKs, which do not distinguish calls. An address that boto3 presigns with Version 2 repeats the
 * two headers that are signed.
 */
const ALWAYS_ALLOWED = /^(x-id|X-Amz-.*|x-amz-.*|AWSAccessKeyId|Signature|Expires|content-type|content-md5)$/;

/**
 * Finds the operation of a request: the most specific one with all its needs met. Unknown query parameters are refused, because
 * ignoring a subresource would do something else (`PUT ?acl` would overwrite the object).
 *
 * @throws {AwsError} `NotImplemented` naming the operations there are
 */
export function chooseOperation({ request, bucket, key, query, headers }: S3Call): S3Operation {
  const on = bucket === '' ? 'service' : key === '' ? 'bucket' : 'object';
  const names = [...query.keys()].filter((name) => !ALWAYS_ALLOWED.test(name));
  const fitting = operations.filter(
    (operation) =>
      operation.method === request.method &&
      operation.on === on &&
      (operation.needs ?? []).every((name) => query.has(name)) &&
      (operation.needsHeader === undefined || headers[operation.needsHeader] !== undefined),
  );
  const [operation] = fitting.sort((a, b) => particularity(b) - particularity(a));
  const unknown = names.filter(
    (name) => !operation?.needs?.includes(name) && !operation?.allows?.includes(name),
  );
  if (operation && unknown.length === 0) return operation;
  const asked = `${request.method} on ${on === 'object' ? 'an' : 'a'} ${on}${names.length > 0 ? ` with ?${names.join('&')}` : ''}`;
  const offered = operations.filter(
    (candidate) => candidate.method === request.method && candidate.on === on,
  );
  throw new AwsError(
    'NotImplemented',
    `The local S3 does not emulate ${asked}. It offers here: ${offered.map(({ name }) => name).join(', ') || 'nothing'}`,
    { statusCode: 501 },
  );
}

function particularity({ needs, needsHeader }: S3Operation): number {
  return (needs?.length ?? 0) + (needsHeader === undefined ? 0 : 1);
}
