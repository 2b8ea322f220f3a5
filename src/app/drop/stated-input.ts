import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { type CoveredEntry, toCovered } from '../../drop/covered-merge.ts';
import {
  type DropInput,
  type InputPlaces,
  readDropInput,
  readSageMakerManifest,
  resolveDropInput,
} from '../../drop/drop-input.ts';
import { dropFileKeys, parseDropKey } from '../../drop/drop-key.ts';
import type { DropProblem } from '../../drop/frozen.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { isHidden } from '../../file-kind/hidden-name.ts';
import type { DropParts } from '../../run/run-id.ts';
import { RUN_KINDS, type RunKind } from '../../run/run-kind.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { MAX_JOB_BYTES, type StatedInput } from '../records/drop.ts';
import { toManifestEntry } from './list-drop.ts';

const HEADS_AT_ONCE = 32;
const NAMED_IN_MESSAGE = 10;
/** Cap on the missing objects before the search stops: checking a million would outlast the function. */
const MAX_MISSING = 1_000;
/** Cap on the size of a SageMaker manifest, which is held in memory as a whole: 600,000 keys of 100 characters. */
const MAX_MANIFEST_BYTES = 64_000_000;

/** The existing objects of a stated input. */
export interface StatedObjectList {
  readonly bucket: string;
  /** Common prefix of all keys, up to and including a slash: a prefix that stops within a name would not match outputs. */
  readonly prefix: string;
  readonly entries: AsyncIterable<ManifestEntry>;
  /** The problems found so far; the list is complete once all entries have been read. */
  problems(): DropProblem[];
}

/** The `input` of the drop's job.json, and the version of that file. */
export async function readStatedInput(store: ObjectStore, drop: DropParts): Promise<StatedInput | undefined> {
  for (const key of dropFileKeys(drop, 'job.json')) {
    for (;;) {
      const before = await store.describe(key);
      if (before === undefined) break;
      // PlanRun refuses it.
      if (before.size > MAX_JOB_BYTES) return undefined;
      const stated = readDropInput(await store.readText(key));
      if (stated === undefined) return undefined;
      const after = await store.describe(key);
      if (after?.etag === before.etag) return { ...stated, statedBy: toCovered(toManifestEntry(before)) };
    }
  }
  return undefined;
}

/** Opens a stated input for reading after a key; `problems` lists what cannot be read. */
export async function listStatedInput(
  store: ObjectStore,
  stated: StatedInput,
  places: Pick<InputPlaces, 'drop' | 'readBuckets'>,
  after: string | undefined,
  onHidden: (key: string) => void,
): Promise<StatedObjectList | DropProblem> {
  const allowed = { ownBucket: store.bucket, ...places };
  const input = resolveDropInput(stated, allowed);
  if ('message' in input) return input;
  const refuse = (message: string): DropProblem => toProblem(stated, message);
  const sources = { stated, input, allowed, after, refuse };
  return input.kind === 'prefix'
    ? listPrefix(store, { ...sources, input, onHidden })
    : listNamed(store, { ...sources, input });
}

/** Shared by both kinds of stated inputs. */
interface StatedSource<I extends DropInput> {
  readonly stated: StatedInput;
  readonly input: I;
  readonly allowed: InputPlaces;
  readonly after: string | undefined;
  readonly refuse: (message: string) => DropProblem;
}

/** Everything below a prefix. */
async function listPrefix(
  store: ObjectStore,
  {
    stated,
    input,
    allowed: { drop },
    after,
    refuse,
    onHidden,
  }: StatedSource<DropInput & { kind: 'prefix' }> & { readonly onHidden: (key: string) => void },
): Promise<StatedObjectList | DropProblem> {
  const source = store.in(input.bucket);
  const first = await orRefusal(refuse, () => source.listPage(input.prefix, { limit: 1 }));
  if ('message' in first) return first;
  let seen = after === undefined ? 0 : 1;
  const entries = async function* (): AsyncGenerator<ManifestEntry> {
    for await (const object of source.list(input.prefix, after === undefined ? {} : { startAfter: after })) {
      if (isHidden(object.key.slice(folderOf(input.prefix).length))) {
        onHidden(object.key);
        continue;
      }
      if (object.key.endsWith('/') || (input.bucket === store.bucket && isReserved(object.key, drop.kind)))
        continue;
      seen += 1;
      yield toManifestEntry(object);
    }
  };
  const problems = (): DropProblem[] =>
    seen === 0 ? [refuse(`must have objects below it: there are none below ${stated.uri}`)] : [];
  return { bucket: input.bucket, prefix: folderOf(input.prefix), entries: entries(), problems };
}

/** The objects that a manifest in SageMaker's format names. */
async function listNamed(
  store: ObjectStore,
  { stated, input, allowed, after, refuse }: StatedSource<DropInput & { kind: 'manifest' }>,
): Promise<StatedObjectList | DropProblem> {
  const source = store.in(input.bucket);
  const found = await orRefusal(refuse, async () => ({
    size: (await source.describe(input.key))?.size ?? 0,
  }));
  if ('message' in found) return found;
  if (found.size > MAX_MANIFEST_BYTES)
    return refuse(
      `must have at most ${MAX_MANIFEST_BYTES} bytes, has ${found.size}: divide it among several drops`,
    );
  const text = await orRefusal(refuse, async () => ({ value: await source.readText(input.key) }));
  if ('message' in text) return text;
  if (text.value === undefined) return refuse(`must name a manifest, ${stated.uri} is not there`);
  const named = readSageMakerManifest(stated.uri, text.value);
  if ('message' in named) return named;
  const inAllowed = resolveDropInput(
    { field: `prefix of ${stated.uri}`, uri: `s3://${named.bucket}/${named.prefix}` },
    allowed,
  );
  if ('message' in inAllowed) return inAllowed;
  const objects = store.in(named.bucket);
  const reachable = await orRefusal(refuse, () => objects.listPage(named.prefix, { limit: 1 }));
  if ('message' in reachable) return reachable;
  const keys = named.keys.filter(
    (key) => !key.endsWith('/') && (after === undefined || compareByteOrder(key, after) > 0),
  );
  const missing: string[] = [];
  const entries = async function* (): AsyncGenerator<ManifestEntry> {
    for await (const [key, object] of inOrder(keys, HEADS_AT_ONCE, (key) => objects.describe(key))) {
      if (object === undefined && missing.push(key) >= MAX_MISSING) return;
      if (object !== undefined) yield toManifestEntry(object);
    }
  };
  const problems = (): DropProblem[] => {
    if (missing.length === 0) return [];
    const some = missing.slice(0, NAMED_IN_MESSAGE).map((key) => `s3://${named.bucket}/${key}`);
    const others = missing.length > some.length ? ` and ${missing.length - some.length} more` : '';
    const count = missing.length < MAX_MISSING ? String(missing.length) : `at least ${missing.length}`;
    return [
      refuse(
        `names ${count} of ${keys.length} objects that are not there: ${some.join(', ')}${others}: upload them or ` +
          'take them out of the manifest',
      ),
    ];
  };
  return { bucket: named.bucket, prefix: folderOf(named.prefix), entries: entries(), problems };
}

/** Whether this version of `job.json`, compared by key, ETag and time, is the one that states the input. */
export function isStatedBy(stated: StatedInput, version: CoveredEntry | undefined): boolean {
  const { key, etag, lastModified } = stated.statedBy;
  return version?.key === key && version.etag === etag && version.lastModified === lastModified;
}

function folderOf(prefix: string): string {
  return prefix.slice(0, prefix.lastIndexOf('/') + 1);
}

/**
 * Whether a key of our own bucket is a drop's `job.json`, `labels.*` or `_READY`, which no model must see. A training reads the
 * labels of a drop if it takes its files.
 */
function isReserved(key: string, runs: RunKind): boolean {
  const found = parseDropKey(key);
  if (!('kind' in found) || found.kind === 'file') return false;
  return RUN_KINDS[runs].isJudged || found.kind !== 'labels';
}

function toProblem({ field, uri }: StatedInput, message: string): DropProblem {
  return { file: 'job.json', field, value: uri, message };
}

/** Errors that the user can correct are problems; others are failures. */
async function orRefusal<T extends object>(
  refuse: (message: string) => DropProblem,
  read: () => Promise<T>,
): Promise<T | DropProblem> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'NoSuchBucket') return refuse(`must lie in a bucket that is there: ${error.message}`);
    if (error.name === 'AccessDenied') {
      return refuse(`must be readable: ${error.message}: add its bucket to the stack parameter ReadBuckets`);
    }
    throw error;
  }
}
