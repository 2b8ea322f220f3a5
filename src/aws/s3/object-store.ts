import type { Readable } from 'node:stream';

/** An object's metadata, known without reading it. */
export interface ObjectInfo {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly versionId?: string;
}

/** An object with a body that is still to be read. */
interface OpenedObject extends ObjectInfo {
  readonly body: Readable;
}

/** A version of an object, or a delete marker in its place. */
export interface ObjectVersion {
  readonly versionId: string;
  readonly lastModified: Date;
  readonly isDeleted: boolean;
}

/** The source of a copy: its newest version unless `versionId` names one. */
export interface CopiedObject {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
  /** Copies only if the source has this ETag. */
  readonly etag?: string;
}

/** Metadata that S3 returns for a stored object; LastModified is not included. */
type WrittenObject = Omit<ObjectInfo, 'lastModified'>;

/** One page of a listing. S3 lists the newest versions without their ids: no object has a `versionId`. */
export interface ObjectPage {
  readonly objects: readonly ObjectInfo[];
  /** Token for the next page; undefined on the last one. */
  readonly continuation?: string;
}

/** A range of an object's bytes, `end` exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
  /** The range is of the object with this ETag; it is missing where the key has another one. */
  readonly etag?: string;
}

/** Headers that S3 keeps with an object and sends with it. */
export interface WriteOptions {
  readonly contentType?: string;
  readonly contentEncoding?: string;
}

/**
 * One bucket, in the words of this product.
 *
 * Every method rejects with an error named `AccessDenied`, `NoSuchBucket`, `SlowDown`, … as S3 names it; a missing object is a
 * result (`undefined`), not an error. Only `describe` cannot distinguish a missing bucket from a missing object.
 */
export interface ObjectStore {
  readonly bucket: string;
  /** The same client on another bucket. */
  in(bucket: string): ObjectStore;
  describe(key: string): Promise<ObjectInfo | undefined>;
  readText(key: string): Promise<string | undefined>;
  readBytes(key: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /** Reads an object, or a range of its bytes. */
  readStream(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** A version, the newest unless one is named, with its metadata from one request: an upload cannot come between the two. */
  open(key: string, versionId?: string): Promise<OpenedObject | undefined>;
  /** The versions and delete markers of one key, at most 1,000. */
  versions(key: string): Promise<readonly ObjectVersion[]>;
  write(key: string, body: string | Uint8Array, options?: WriteOptions): Promise<WrittenObject>;
  /** Multipart upload of unknown length; memory stays at a few parts. Nothing is stored if the source fails. */
  writeStream(key: string, body: AsyncIterable<Uint8Array | string>, options?: WriteOptions): Promise<void>;
  /**
   * Writes with `If-None-Match: *`. False if the key already exists, possibly from this very call, if its answer was lost and the
   * SDK repeated it; so the caller uses the object that exists.
   */
  createIfAbsent(key: string, body: string, options?: WriteOptions): Promise<boolean>;
  /**
   * Writes with `If-Match`. False if the key has another ETag by now, or is gone; as with `createIfAbsent`, possibly because
   * of this very call.
   */
  replace(key: string, body: string, etag: string, options?: WriteOptions): Promise<boolean>;
  /**
   * Server-side copy from any bucket, of any size up to 5 GiB a part.
   *
   * @throws `NoSuchKey`; `PreconditionFailed` if the source has another ETag than `etag`
   */
  copy(source: CopiedObject, key: string): Promise<void>;
  /**
   * Copies from this bucket over the object with an ETag, or to a free key if that is null. False if another object is there by now.
   *
   * @throws `NoSuchKey`
   */
  copyOver(source: string, key: string, etag: string | null): Promise<boolean>;
  /**
   * Concatenates objects of this bucket into one object; S3 itself copies objects of 5 MiB and more.
   *
   * @throws `NoSuchKey`; `PreconditionFailed` if one changes meanwhile
   */
  join(keys: readonly string[], key: string, options?: WriteOptions): Promise<void>;
  /** The SHA-256 that S3 keeps of the whole object, in hex; null if it keeps none, undefined if there is no object. */
  keptSha256(key: string): Promise<string | null | undefined>;
  /**
   * One page of up to `limit` (default 1,000) objects in UTF-8 byte order. `shallow` leaves out objects in folders below the
   * prefix; a page may then be empty and still have a continuation.
   */
  listPage(
    prefix: string,
    options?: {
      readonly continuation?: string;
      readonly startAfter?: string;
      readonly limit?: number;
      readonly shallow?: boolean;
    },
  ): Promise<ObjectPage>;
  /** All objects below a prefix, page by page. */
  list(
    prefix: string,
    options?: { readonly startAfter?: string; readonly shallow?: boolean },
  ): AsyncIterable<ObjectInfo>;
  /** The common prefixes below `prefix`, one level deep. */
  listFolders(prefix: string): AsyncIterable<string>;
  delete(key: string): Promise<void>;
}
