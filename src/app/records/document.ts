import { text as readAll } from 'node:stream/consumers';
import type * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { Condition } from '../../problem/conditions.ts';
import { parseJson } from '../../text/parse-json.ts';

/** Content of a stored document, and its ETag for a replacement. */
interface Version<T> {
  readonly value: T;
  readonly etag: string;
}

/** A JSON object of the bucket at one key. */
export interface Readable<T> {
  readonly key: string;
  /**
   * Parses its text.
   *
   * @throws `StoredByEarlierBuild` if it is JSON of another form
   */
  parse(text: string): T;
  /** Undefined if it is not there. */
  read(store: Pick<ObjectStore, 'readText'>): Promise<T | undefined>;
  /** @throws `RunFileMissing` */
  require(store: Pick<ObjectStore, 'readText'>): Promise<T>;
}

/** A document that is written once: the first content stands. */
export interface Created<T> {
  /** False if it exists: then the stored one counts. */
  create(store: Pick<ObjectStore, 'createIfAbsent'>, value: T): Promise<boolean>;
}

interface Replaced<T> {
  write(store: Pick<ObjectStore, 'write'>, value: T): Promise<void>;
}

interface Exchanged<T> extends Created<T>, Replaced<T> {
  /** Undefined if it is not there. */
  open(store: Pick<ObjectStore, 'open'>): Promise<Version<T> | undefined>;
  /** False if it has been written, or removed, since it had this ETag. */
  replace(store: Pick<ObjectStore, 'replace'>, value: T, etag: string): Promise<boolean>;
}

/** Who writes a document. */
interface Writers<T> {
  /** Only the first writer, by S3's `If-None-Match`. */
  once: Created<T>;
  /** The one step that owns it; a repetition of the step writes over it. */
  replace: Replaced<T>;
  /** Several executions; each replaces the version it has read, by S3's `If-Match`. */
  exchange: Exchanged<T>;
  /** Another document of the same objects: this one only reads them, or some of their fields. */
  elsewhere: unknown;
}

/**
 * Describes a stored document: its key by the run or pipeline that it belongs to, its schema, and its writers. The schema
 * has no defaults: a field is there, or may be left out with a meaning of its own.
 *
 * @param indent spaces by which its text is indented, for documents that people open
 * @param remedy what to do if an earlier build stored it
 */
export function jsonDocument<T, Place extends readonly unknown[], W extends keyof Writers<T>>({
  key: keyOf,
  schema,
  indent,
  remedy = 'run it again',
}: {
  readonly key: (...place: Place) => string;
  readonly schema: z.ZodType<T, NoInfer<T>>;
  readonly write: W;
  readonly indent?: number;
  readonly remedy?: string;
}): (...place: Place) => Readable<T> & Writers<T>[W] {
  const options = { contentType: 'application/json' };
  const toText = (value: T): string =>
    indent === undefined ? JSON.stringify(value) : `${JSON.stringify(value, null, indent)}\n`;
  return (...place) => {
    const key = keyOf(...place);
    const parse = (text: string): T => {
      const found = schema.safeParse(parseJson(text));
      if (found.success) return found.data;
      const wrong = found.error.issues.map(
        ({ path, message }) => `${path.map(String).join('.')}: ${message}`,
      );
      const message = `${key} was made by an earlier build of inferdrop: ${remedy} (${wrong.join('; ')})`;
      throw new Condition('StoredByEarlierBuild', message);
    };
    const read: Readable<T>['read'] = async (store) => {
      const text = await store.readText(key);
      return text === undefined ? undefined : parse(text);
    };
    const document: Readable<T> & Exchanged<T> = {
      key,
      parse,
      read,
      async require(store) {
        const value = await read(store);
        if (value !== undefined) return value;
        const message = `${key} is not there: an earlier step of the run must have written it`;
        throw new Condition('RunFileMissing', message);
      },
      async open(store) {
        const found = await store.open(key);
        return found && { value: parse(await readAll(found.body)), etag: found.etag };
      },
      create: (store, value) => store.createIfAbsent(key, toText(value), options),
      replace: (store, value, etag) => store.replace(key, toText(value), etag, options),
      async write(store, value) {
        await store.write(key, toText(value), options);
      },
    };
    return document;
  };
}
