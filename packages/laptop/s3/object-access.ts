import { createHash, randomUUID } from 'node:crypto';
import type { ObjectAccess, StoredObject } from '../kernel/ports.ts';
import { checksumDigest } from './checksum/checksum-digest.ts';
import { deleteVersion } from './object/delete-version.ts';
import { describeObject } from './object/describe-object.ts';
import { storeVersion } from './object/store-version.ts';
import { fromByteOrder, toByteOrder } from './store/byte-order.ts';
import type { ObjectStorage } from './store/object-storage.ts';
import type { ObjectVersion, Segment } from './store/object-version.ts';

/** How many keys are read from the index at a time; between two stretches it may change. */
const STRETCH = 1000;

/** S3 for the services next to it, and for seeding: no HTTP, no signature, tens of microseconds an object. */
export function objectAccess(storage: ObjectStorage): ObjectAccess {
  const find = (bucket: string, key: string): ObjectVersion | undefined =>
    storage.catalog.bucket(bucket).current(key);
  return {
    hasBucket: (bucket) => storage.catalog.buckets.has(bucket),
    list: (bucket, prefix) => listAll(storage, bucket, prefix),
    head(bucket, key) {
      const version = find(bucket, key);
      return version && toStoredObject(key, version);
    },
    async read(bucket, key) {
      const version = find(bucket, key);
      return version && storage.bodies.readWhole(version.segments);
    },
    async readStream(bucket, key) {
      const version = find(bucket, key);
      return version && storage.bodies.read(version.segments);
    },
    async write(bucket, key, body, { contentType, reason = 'PutObject' } = {}) {
      const { segments, ...content } = await take(storage, body);
      try {
        const version = storeVersion(storage, {
          bucket,
          key,
          content: {
            lastModifiedMs: storage.nowInSeconds(),
            ...content,
            segments,
            ...describeObject(
              storage,
              bucket,
              contentType === undefined ? {} : { 'content-type': contentType },
            ),
          },
          conditions: {},
          reason,
          cause: { requestId: randomUUID() },
        });
        await storage.announced;
        return toStoredObject(key, version);
      } finally {
        storage.bodies.release(segments);
      }
    },
    async delete(bucket, key) {
      deleteVersion(storage, { bucket, key, versionId: undefined }, { requestId: randomUUID() });
      await storage.announced;
    },
    async remove(bucket, { key, etag, versionId = 'null' }) {
      // A later write of the key by another caller is not undone.
      if (storage.catalog.bucket(bucket).version(key, versionId)?.etag !== etag) return;
      deleteVersion(storage, { bucket, key, versionId }, { requestId: randomUUID() });
      await storage.announced;
    },
  };
}

type Taken = Pick<ObjectVersion, 'size' | 'etag' | 'segments' | 'checksum'>;

/** Brings a body to the disk. The caller releases the segments. */
async function take({ bodies }: ObjectStorage, body: Buffer | AsyncIterable<Buffer>): Promise<Taken> {
  const md5 = createHash('md5');
  const crc32 = checksumDigest('CRC32');
  const update = (chunk: Buffer): void => {
    md5.update(chunk);
    crc32.update(chunk);
  };
  const taken = (segments: Segment[], size: number): Taken => ({
    segments,
    size,
    etag: md5.digest('hex'),
    checksum: { algorithm: 'CRC32', value: crc32.digest(), type: 'FULL_OBJECT' },
  });
  if (Buffer.isBuffer(body)) {
    update(body);
    return taken(bodies.write(body), body.length);
  }
  const writer = bodies.writer();
  try {
    for await (const chunk of body) {
      update(chunk);
      await writer.write(chunk);
    }
    return taken(await writer.finish(), writer.sizeBytes);
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

function* listAll(storage: ObjectStorage, bucketName: string, prefix: string): Generator<StoredObject> {
  const bucket = storage.catalog.bucket(bucketName);
  const bytePrefix = toByteOrder(prefix);
  let from = bytePrefix;
  for (;;) {
    const stretch: string[] = [];
    for (const byteKey of bucket.keys.from(from)) {
      if (stretch.length === STRETCH || !byteKey.startsWith(bytePrefix)) break;
      stretch.push(byteKey);
    }
    for (const byteKey of stretch) {
      const version = bucket.currentAt(byteKey);
      if (version) yield toStoredObject(fromByteOrder(byteKey), version);
    }
    const last = stretch.at(-1);
    if (last === undefined || stretch.length < STRETCH) return;
    from = `${last}\u0000`;
  }
}

function toStoredObject(key: string, { size, etag, lastModifiedMs, versionId }: ObjectVersion): StoredObject {
  return { key, size, etag, lastModifiedMs, ...(versionId === 'null' ? {} : { versionId }) };
}
