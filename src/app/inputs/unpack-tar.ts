import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { type FileKind, fileKind, HEAD_BYTES, rowOf } from '../../file-kind/file-kind.ts';
import { isZipError } from '../../file-kind/unpacked-head.ts';
import { refusalOf } from '../../input/file-refusal.ts';
import { extensionOf, memberPlace } from '../../input/member-path.ts';
import { truthInRecord } from '../../label/truth-in-record.ts';
import { tarEntries, type TarEntry } from '../../model/tar-entries.ts';
import { readInputRecord } from '../../prediction/input-record.ts';
import { parseJsonPath } from '../../prediction/json-path.ts';
import { isKeyTooLong, MAX_KEY_BYTES } from '../../text/key-length.ts';
import type { MemberList } from './member-list.ts';
import { MOST_MEMBERS, RESERVED_MS } from './staged-copy.ts';

/** A larger member is written as it is read, one at a time. */
const MOST_HELD_BYTES = 8 * 2 ** 20;
/** A label is a name or a number; a JSON member may have much more in it. */
const MOST_LABEL_BYTES = 1_000_000;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Where a tar is, and what becomes of its members. */
interface Unpacking {
  readonly source: ObjectStore;
  /** Bucket that members are written to. */
  readonly bucket: string;
  readonly unpackedKey: (name: string) => string;
  /** Whether a member goes to the model on its own; other members are only listed. */
  readonly isSent: (input: { readonly name: string; readonly size: number }) => boolean;
  readonly mostMembers: number;
  /** Milliseconds that the function has left. */
  readonly leftMs: () => number;
}

/** A member that is to be written. */
interface Unpacked {
  readonly key: string;
  readonly body: (store: ObjectStore, key: string) => Promise<unknown>;
}

/**
 * Reads a tar once, puts what is in it on a list, and gives the members that go to the model, in bounded memory. Nothing that is wrong with
 * the tar is an error: it is on the list, by name, and costs no other member.
 *
 * @throws the source's own error: a broken connection says nothing about the tar
 */
export async function* unpackTar(list: MemberList, unpacking: Unpacking): AsyncGenerator<Unpacked> {
  const { source, leftMs } = unpacking;
  const opened = await readUnzipped(source, list.tar);
  if ('defect' in opened) return list.damage(opened.defect);
  const { bytes, isPacked, kind, broken, close } = opened;
  const { role, what } = rowOf(kind);
  const isForeign = !isPacked && kind !== 'empty' && role === 'refuse';
  const isWritten = list.settings.unpacks || isPacked;
  // Members that lie where they are cost no write.
  const mostMembers = isWritten ? unpacking.mostMembers : MOST_MEMBERS;
  const isSent: Unpacking['isSent'] = (input) => isWritten && unpacking.isSent(input);
  let last = '';
  const damage = (message: string): void =>
    list.damage(
      !isForeign || last !== ''
        ? message
        : `is ${what}: pack its files as a plain tar, or as one compressed with gzip`,
    );
  try {
    for await (const entry of tarEntries(bytes, damage)) {
      last = entry.name;
      if (list.size >= mostMembers || leftMs() < RESERVED_MS) {
        list.damage(`is read up to ${JSON.stringify(entry.name)}, ${whyNoMore(list.size, mostMembers)}`);
        break;
      }
      const unpacked = await takeEntry(list, entry, { ...unpacking, isSent, isPacked });
      if (unpacked !== undefined) yield unpacked;
    }
  } catch (error) {
    if (broken.length > 0) throw broken[0];
    if (!isZipError(error)) throw error;
    list.damage(`cannot be unzipped to its end, from ${JSON.stringify(last)} on: ${error.message}`);
  } finally {
    close();
  }
}

interface Unzipped {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly isPacked: boolean;
  /** Kind by its first bytes, as they are stored. */
  readonly kind: FileKind;
}

/**
 * Opens an object of the manifest and unpacks gzip, or says why it isn't the one that was listed. An error of the source
 * comes first in `broken`.
 */
export async function readUnzipped(
  source: ObjectStore,
  { key, etag }: Pick<ManifestEntry, 'key' | 'etag'>,
): Promise<
  | (Unzipped & { readonly broken: readonly unknown[]; readonly close: () => void })
  | { readonly defect: string }
> {
  const opened = await source.open(key);
  if (opened === undefined) return { defect: 'was deleted after the manifest was frozen' };
  const close = (): void => void opened.body.destroy();
  if (opened.etag !== etag) {
    close();
    return { defect: 'was overwritten after the manifest was frozen; the next generation has it' };
  }
  const broken: unknown[] = [];
  return { ...(await unzipped(watched(opened.body, broken))), broken, close };
}

function whyNoMore(members: number, most: number): string {
  const remedy = 'cut it into tars of some 10,000 files';
  if (members < most) return `as far as a function comes in its time: ${remedy}`;
  return most === MOST_MEMBERS
    ? `the first ${most} files: ${remedy}`
    : `the first ${most} files, its part of limits.maxCostUsd: raise that, since each copy of a file is paid`;
}

/** Puts an entry on the list; gives its bytes if they are to be written. */
async function takeEntry(
  list: MemberList,
  entry: TarEntry,
  { unpackedKey, isSent, isPacked, source, bucket }: Unpacking & { readonly isPacked: boolean },
): Promise<Unpacked | undefined> {
  const place = memberPlace(entry.name, entry.type);
  if (place?.kind === 'hidden') list.hide(place.path);
  if (place?.kind === 'defect') list.addDefect(place.path, place.defect);
  if (place?.kind !== 'file') return undefined;
  const { path } = place;
  const { labels } = list.settings;
  if (labels !== null && extensionOf(path) === labels.extension) {
    await takeLabel(list, path, entry.body, labels.path);
    return undefined;
  }
  const size = entry.body.left;
  const name = list.nameOf(path);
  const key = unpackedKey(name);
  if (isPacked && isKeyTooLong(key)) {
    list.addDefect(
      path,
      `would have a copy with a key of more than ${MAX_KEY_BYTES} bytes: shorten its path`,
    );
    return undefined;
  }
  const md5 = createHash('md5');
  async function* pieces() {
    for await (const piece of entry.body.pieces()) {
      md5.update(piece);
      head.take(piece);
      yield piece;
    }
  }
  const kept: Uint8Array[] = [];
  const isWritten = isSent({ name, size });
  const head = new Head();
  const isHeld = size <= MOST_HELD_BYTES;
  // A long member goes where it belongs while it is read: the entry after it cannot be read before.
  if (isWritten && !isHeld) await source.in(bucket).writeStream(key, pieces());
  else for await (const piece of pieces()) if (isWritten) kept.push(piece);
  if (entry.body.left > 0) {
    list.addDefect(path, 'is cut off: its tar stops within it');
    return undefined;
  }
  const member = {
    object: list.tar.key,
    etag: list.tar.etag,
    ...(isPacked
      ? { start: 0, end: size, unpacked: { bucket, key } }
      : { start: entry.start, end: entry.start + size }),
  };
  list.add({ path, size, etag: md5.digest('hex'), member });
  const seen = { name, head: head.bytes(), sizeBytes: size };
  const refusal = size === 0 ? undefined : refusalOf(seen, list.settings.sent);
  if (refusal !== undefined) list.refuse(path, refusal);
  if (!isWritten || refusal !== undefined) return undefined;
  return { key, body: isHeld ? (store) => store.write(key, Buffer.concat(kept)) : async () => undefined };
}

/** Puts a member's label on the list. @param path to it in JSON; null if the whole text is the label */
async function takeLabel(
  list: MemberList,
  member: string,
  body: TarEntry['body'],
  path: string | null,
): Promise<void> {
  if (body.left > MOST_LABEL_BYTES)
    return list.addDefect(member, `is no label: a label has at most ${MOST_LABEL_BYTES} bytes`);
  const bytes = await body.take(body.left);
  if (bytes === undefined) return list.addDefect(member, 'is cut off: its tar stops within it');
  const text = Buffer.from(bytes).toString();
  const parsed = path === null ? undefined : parseJsonPath(path);
  if (parsed !== undefined && 'reason' in parsed) throw new RangeError(`labels.truth.path ${parsed.reason}`);
  const label = parsed === undefined ? text.trim() : truthInRecord(readInputRecord(text, 'json'), parsed);
  if (label === undefined || label === '')
    return list.addDefect(
      member,
      path === null ? 'is an empty label' : `has no class name or index at ${path}`,
    );
  list.addLabel(member, label);
}

/** The bytes of a tar, whatever its name says of how it is packed. */
async function unzipped(source: AsyncGenerator<Uint8Array>): Promise<Unzipped> {
  const head: Uint8Array[] = [];
  let length = 0;
  for (; length < 512;) {
    const { value, done } = await source.next();
    if (done === true) break;
    head.push(value);
    length += value.length;
  }
  const first = Buffer.concat(head);
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield first;
    yield* source;
  }
  const isPacked = startsWith(first, GZIP);
  const kind = fileKind({ head: first, sizeBytes: first.length });
  if (!isPacked) return { bytes: whole(), isPacked, kind };
  const gunzip = createGunzip();
  // An error is met where the bytes are read.
  pipeline(Readable.from(whole()), gunzip, () => undefined);
  return { bytes: gunzip, isPacked, kind };
}

/** The first bytes of a file that is read in pieces. */
class Head {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  take(piece: Uint8Array): void {
    if (this.#length >= HEAD_BYTES) return;
    this.#pieces.push(piece.subarray(0, HEAD_BYTES - this.#length));
    this.#length += piece.length;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

/** Keeps an error of the source apart from errors of unpacking. */
async function* watched(source: AsyncIterable<Uint8Array>, broken: unknown[]): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    broken.push(error);
    throw error;
  }
}
