import { AwsError } from '../../kernel/aws-error.ts';
import { Bucket } from './bucket.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { Segment } from './object-version.ts';
import type { Upload } from './upload.ts';

/** Keeps body files alive as long as metadata points to them. */
export interface SegmentOwner {
  retain(segments: readonly Segment[]): void;
  release(segments: readonly Segment[]): void;
}

/** All metadata of S3 in memory: what replaying the journal gives. */
export class Catalog {
  readonly buckets = new Map<string, Bucket>();
  readonly uploads = new Map<string, Upload>();
  readonly #bodies: SegmentOwner;

  constructor(bodies: SegmentOwner) {
    this.#bodies = bodies;
  }

  /** @throws {AwsError} `NoSuchBucket` */
  bucket(name: string): Bucket {
    const bucket = this.buckets.get(name);
    if (bucket) return bucket;
    throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', {
      statusCode: 404,
      details: { BucketName: name },
    });
  }

  apply(entry: JournalEntry): void {
    switch (entry.op) {
      case 'create-bucket':
        this.buckets.set(entry.bucket, new Bucket(entry.bucket, entry.createdMs));
        return;
      case 'delete-bucket':
        this.buckets.delete(entry.bucket);
        return;
      case 'configure':
        if (entry.value === null) this.bucket(entry.bucket).configurations.delete(entry.name);
        else this.bucket(entry.bucket).configurations.set(entry.name, entry.value);
        return;
      case 'put': {
        this.#bodies.retain(entry.version.segments);
        const replaced = this.bucket(entry.bucket).put(entry.key, entry.version);
        this.#bodies.release(replaced?.segments ?? []);
        return;
      }
      case 'remove':
        this.#bodies.release(this.bucket(entry.bucket).remove(entry.key, entry.versionId)?.segments ?? []);
        return;
      case 'begin-upload':
        this.uploads.set(entry.upload.uploadId, { ...entry.upload, parts: new Map() });
        return;
      case 'put-part': {
        const parts = this.uploads.get(entry.uploadId)?.parts;
        this.#bodies.retain(entry.part.segments);
        this.#bodies.release(parts?.get(entry.number)?.segments ?? []);
        parts?.set(entry.number, entry.part);
        return;
      }
      case 'end-upload':
        for (const part of this.uploads.get(entry.uploadId)?.parts.values() ?? [])
          this.#bodies.release(part.segments);
        this.uploads.delete(entry.uploadId);
    }
  }

  /** The shortest journal that gives this state. */
  *snapshot(): Generator<JournalEntry> {
    for (const { name: bucket, createdMs, configurations } of this.buckets.values()) {
      yield { op: 'create-bucket', bucket, createdMs };
      for (const [name, value] of configurations) yield { op: 'configure', bucket, name, value };
    }
    for (const bucket of this.buckets.values()) {
      for (const { key, version } of bucket.allVersions())
        yield { op: 'put', bucket: bucket.name, key, version };
    }
    for (const { parts, ...upload } of this.uploads.values()) {
      yield { op: 'begin-upload', upload };
      for (const [number, part] of parts) yield { op: 'put-part', uploadId: upload.uploadId, number, part };
    }
  }
}
