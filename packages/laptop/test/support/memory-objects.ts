import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ObjectAccess, StoredObject } from '../../kernel/ports.ts';

/** S3's in-process port with everything in memory; `created` lists what was written through it, in order. */
export function memoryObjects(buckets: readonly string[] = ['bucket']): ObjectAccess & {
  readonly created: readonly string[];
  put(key: string, body: string | Buffer, bucket?: string): void;
  text(key: string, bucket?: string): string | undefined;
} {
  const stores = new Map(
    buckets.map((bucket) => [bucket, new Map<string, { info: StoredObject; body: Buffer }>()]),
  );
  const created: string[] = [];
  const save = (bucket: string, key: string, body: Buffer): StoredObject => {
    const etag = createHash('md5').update(body).digest('hex');
    const info = { key, size: body.length, etag, lastModifiedMs: 0 };
    stores.get(bucket)!.set(key, { info, body });
    return info;
  };
  return {
    created,
    put: (key, body, bucket = 'bucket') => void save(bucket, key, Buffer.from(body)),
    text: (key, bucket = 'bucket') => stores.get(bucket)?.get(key)?.body.toString(),
    hasBucket: (bucket) => stores.has(bucket),
    list: (bucket, prefix) =>
      [...stores.get(bucket)!.values()]
        .map(({ info }) => info)
        .filter(({ key }) => key.startsWith(prefix))
        .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))),
    head: (bucket, key) => stores.get(bucket)?.get(key)?.info,
    read: async (bucket, key) => stores.get(bucket)?.get(key)?.body,
    readStream: async (bucket, key) => {
      const body = stores.get(bucket)?.get(key)?.body;
      return body && Readable.from([body]);
    },
    write: async (bucket, key, body) => {
      const whole = Buffer.isBuffer(body) ? body : Buffer.concat(await Array.fromAsync(body));
      created.push(key);
      return save(bucket, key, whole);
    },
    delete: async (bucket, key) => void stores.get(bucket)?.delete(key),
    remove: async (bucket, { key }) => void stores.get(bucket)?.delete(key),
  };
}
