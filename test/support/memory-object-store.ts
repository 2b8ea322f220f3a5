import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ByteRange, ObjectInfo, ObjectPage, ObjectStore } from '../../src/aws/s3/object-store.ts';
import { compareByteOrder } from '../../src/text/byte-order.ts';

interface Stored extends ObjectInfo {
  readonly body: Uint8Array;
}

/** Versions that were replaced, by bucket, key and id. */
type Versions = Map<string, Stored>;

export interface MemoryObjectStoreOptions {
  /** Default `bucket`. */
  readonly bucket?: string;
  /** Names of the other buckets that exist. */
  readonly others?: readonly string[];
  /** LastModified is this time cut to the second, as in S3. */
  readonly clock?: () => Date;
  /** Awaited before each request takes effect and again before its answer is given: for faults, counts and interleavings. */
  readonly before?: (request: StoreRequest, phase: 'request' | 'answer') => Promise<void> | void;
  /** Objects a page; default 1,000, as in S3. */
  readonly pageSize?: number;
}

interface StoreRequest {
  readonly operation: 'HEAD' | 'GET' | 'PUT' | 'LIST' | 'COPY' | 'DELETE';
  readonly bucket: string;
  readonly key: string;
}

export interface MemoryObjectStore extends ObjectStore {
  in(bucket: string): MemoryObjectStore;
  /** Every request so far, of all buckets. */
  readonly requests: StoreRequest[];
  /** Keys of the bucket in byte order; no request is counted. */
  keys(prefix?: string): string[];
  /** Text of an object; no request is counted. */
  text(key: string): string | undefined;
  /** What is known of an object; no request is counted. */
  info(key: string): ObjectInfo | undefined;
  /** Stores without counting a request or waiting. */
  put(key: string, body?: string | Uint8Array, lastModified?: Date): ObjectInfo;
  remove(key: string): void;
}

/** S3 in memory: strongly consistent, byte-ordered listings, MD5 ETags, conditional creation. */
export function memoryObjectStore(options: MemoryObjectStoreOptions = {}): MemoryObjectStore {
  const { bucket = 'bucket', others = [], clock = () => new Date(), before, pageSize = 1000 } = options;
  const buckets = new Map<string, Map<string, Stored>>([bucket, ...others].map((name) => [name, new Map()]));
  const requests: StoreRequest[] = [];
  const versions: Versions = new Map();

  const open = (name: string): MemoryObjectStore => {
    const there = (): Map<string, Stored> => {
      const found = buckets.get(name);
      if (found === undefined) throw named('NoSuchBucket', `The specified bucket does not exist: ${name}`);
      return found;
    };
    const request = async <T>(
      operation: StoreRequest['operation'],
      key: string,
      act: () => T,
    ): Promise<T> => {
      const made: StoreRequest = { operation, bucket: name, key };
      requests.push(made);
      await before?.(made, 'request');
      const answer = act();
      await before?.(made, 'answer');
      return answer;
    };
    const put = (key: string, body: string | Uint8Array = '', lastModified?: Date): ObjectInfo => {
      if (Buffer.byteLength(key) > 1024) throw named('KeyTooLongError', 'Your key is too long');
      const bytes = typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body);
      const whole = Math.floor((lastModified ?? clock()).getTime() / 1000) * 1000;
      const info: ObjectInfo = {
        key,
        size: bytes.length,
        etag: createHash('md5').update(bytes).digest('hex'),
        lastModified: new Date(whole),
        versionId: `v${versions.size + 1}`,
      };
      there().set(key, { ...info, body: bytes });
      versions.set(`${name}/${key}?${info.versionId}`, { ...info, body: bytes });
      return info;
    };
    const info = (key: string): ObjectInfo | undefined => {
      const found = there().get(key);
      return found && describe(found);
    };
    const bytes = (key: string, range?: ByteRange): Uint8Array | undefined => {
      const found = there().get(key);
      if (range?.etag !== undefined && found?.etag !== range.etag) return undefined;
      if (found && range && range.start < range.end && range.start >= found.size)
        throw named('InvalidRange', 'The requested range is not satisfiable');
      return found?.body.slice(range?.start, range?.end);
    };
    const sorted = (prefix = ''): Stored[] =>
      [...there().values()]
        .filter((object) => object.key.startsWith(prefix))
        .sort((a, b) => compareByteOrder(a.key, b.key));
    const page: MemoryObjectStore['listPage'] = (
      prefix,
      { continuation, startAfter, limit = pageSize, shallow = false } = {},
    ) =>
      request('LIST', prefix, (): ObjectPage => {
        const from = continuation ?? startAfter;
        const objects = sorted(prefix)
          .filter((object) => from === undefined || compareByteOrder(object.key, from) > 0)
          .filter((object) => !shallow || !object.key.slice(prefix.length).includes('/'));
        const some = objects.slice(0, Math.min(limit, pageSize));
        const last = some.at(-1);
        return {
          objects: some.map(describe),
          ...(last && objects.length > some.length && { continuation: last.key }),
        };
      });

    return {
      bucket: name,
      in: open,
      requests,
      keys: (prefix) => sorted(prefix).map((object) => object.key),
      text: (key) => {
        const found = there().get(key);
        return found && Buffer.from(found.body).toString();
      },
      info,
      put,
      remove: (key) => void there().delete(key),
      describe: (key) => request('HEAD', key, () => info(key)),
      readText: (key) =>
        request('GET', key, () => {
          const found = bytes(key);
          return found && Buffer.from(found).toString();
        }),
      readBytes: (key, range) => request('GET', key, () => bytes(key, range)),
      readStream: (key, range) =>
        request('GET', key, () => {
          const found = bytes(key, range);
          return found && Readable.from(chunks(found));
        }),
      versions: (key) =>
        request('LIST', key, () =>
          [...versions]
            .filter(([path]) => path.startsWith(`${name}/${key}?`))
            .map(([, { versionId = 'null', lastModified }]) => ({
              versionId,
              lastModified,
              isDeleted: false,
            })),
        ),
      open: (key, versionId) =>
        request('GET', key, () => {
          const found =
            versionId === undefined ? there().get(key) : versions.get(`${name}/${key}?${versionId}`);
          return found && { ...describe(found), body: Readable.from(chunks(found.body)) };
        }),
      keptSha256: (key) =>
        request('HEAD', key, () => {
          const found = there().get(key);
          return found && createHash('sha256').update(found.body).digest('hex');
        }),
      write: (key, body) => request('PUT', key, () => put(key, body)),
      writeStream: async (key, body) => {
        const parts: Uint8Array[] = [];
        for await (const part of body) parts.push(typeof part === 'string' ? Buffer.from(part) : part);
        await request('PUT', key, () => put(key, Buffer.concat(parts)));
      },
      createIfAbsent: (key, body) =>
        request('PUT', key, () => {
          if (there().has(key)) return false;
          put(key, body);
          return true;
        }),
      replace: (key, body, etag) =>
        request('PUT', key, () => {
          if (there().get(key)?.etag !== etag) return false;
          put(key, body);
          return true;
        }),
      copyOver: (source, key, etag) =>
        request('COPY', key, () => {
          const from = there().get(source);
          if (from === undefined) throw named('NoSuchKey', `s3://${name}/${source} is not there`);
          if ((there().get(key)?.etag ?? null) !== etag) return false;
          put(key, from.body);
          return true;
        }),
      copy: (source, key) =>
        request('COPY', key, () => {
          const { bucket, versionId, etag } = source;
          const from =
            versionId === undefined
              ? buckets.get(bucket)?.get(source.key)
              : versions.get(`${bucket}/${source.key}?${versionId}`);
          if (from === undefined) throw named('NoSuchKey', `s3://${bucket}/${source.key} is not there`);
          if (etag !== undefined && from.etag !== etag)
            throw named(
              'PreconditionFailed',
              'At least one of the pre-conditions you specified did not hold',
            );
          put(key, from.body);
        }),
      join: (keys, key) =>
        request('COPY', key, () => {
          const missing = keys.find((from) => !there().has(from));
          if (missing !== undefined) throw named('NoSuchKey', `s3://${name}/${missing} is not there`);
          put(key, Buffer.concat(keys.map((from) => bytes(from) ?? Buffer.alloc(0))));
        }),
      listPage: page,
      async *list(prefix, listOptions = {}) {
        let continuation: string | undefined;
        do {
          const found: ObjectPage = await page(prefix, {
            ...listOptions,
            ...(continuation && { continuation }),
          });
          yield* found.objects;
          continuation = found.continuation;
        } while (continuation !== undefined);
      },
      async *listFolders(prefix) {
        const folders = await request('LIST', prefix, () => {
          const below = sorted(prefix)
            .map((object) => object.key.slice(prefix.length))
            .filter((rest) => rest.includes('/'));
          return [...new Set(below.map((rest) => `${prefix}${rest.slice(0, rest.indexOf('/') + 1)}`))];
        });
        yield* folders;
      },
      delete: (key) => request('DELETE', key, () => void there().delete(key)),
    };
  };
  return open(bucket);
}

function describe({ key, size, etag, lastModified, versionId }: Stored): ObjectInfo {
  return { key, size, etag, lastModified, ...(versionId !== undefined && { versionId }) };
}

function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.slice(at, at + 65_536);
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
