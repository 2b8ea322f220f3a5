import { type SdkCalls, SdkFailure } from '../../states/tasks/sdk-calls.ts';

type Answer = Readonly<Record<string, unknown>>;
type Call = (input: Record<string, unknown>) => Answer;

/** SDK calls answered from memory: objects by `bucket/key`, and any other call by a function of the test. */
export function memorySdk(
  objects: Map<string, string | Buffer>,
  others: Record<string, Call> = {},
): SdkCalls {
  const calls: Record<string, Call> = {
    's3:getObject': ({ Bucket, Key }) => {
      const body = objects.get(`${Bucket as string}/${Key as string}`);
      if (body === undefined) throw new SdkFailure('NoSuchKey', true, 'The specified key does not exist.');
      return { Body: Buffer.from(body) };
    },
    's3:putObject': ({ Bucket, Key, Body }) => {
      objects.set(`${Bucket as string}/${Key as string}`, Body as string);
      return { ETag: '"e"' };
    },
    's3:listObjectsV2': ({ Bucket, Prefix = '', ContinuationToken }) => {
      const keys = [...objects.keys()]
        .filter((name) => name.startsWith(`${Bucket as string}/${Prefix as string}`))
        .map((name) => name.slice(String(Bucket).length + 1))
        .sort();
      // Two a page, so that paging is always met.
      const start = Number(ContinuationToken ?? 0);
      const Contents = keys.slice(start, start + 2).map((Key) => ({
        Key,
        Size: Buffer.byteLength(objects.get(`${Bucket as string}/${Key}`) ?? ''),
        ETag: '"etag"',
        LastModified: new Date(Date.UTC(2026, 0, 1)),
      }));
      return { Contents, ...(start + 2 < keys.length ? { NextContinuationToken: String(start + 2) } : {}) };
    },
    ...others,
  };
  return {
    has: async (service, action) => `${service}:${action}` in calls,
    async call(service, action, input) {
      const call = calls[`${service}:${action}`];
      if (!call) throw new Error(`no fake for ${service}:${action}`);
      return { ...call({ ...input }), $metadata: { httpStatusCode: 200 } };
    },
    close: () => undefined,
  };
}
