import type { Readable } from 'node:stream';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { imageKind } from '../../report/image-kind.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { areAlike, findNearDuplicate, type Look } from '../../training/likeness.ts';
import { readManifest } from '../records/manifest.ts';
import type { Evaluation } from '../records/training.ts';

/** Caps on the images that are looked at. Comparing them all takes some 3 s. */
const MAX_LOOKED_AT = { judged: 1_000, trained: 10_000 } as const;
/** Size in bytes above which files are skipped: photographs of phones have 2 to 8 MB. */
const MAX_BYTES = 16 * 2 ** 20;
const READS_AT_ONCE = 8;
/** Time for looking at images, of the function's 300 s; images that are left then count as not looked at. */
const MAX_LOOKING_MS = 150_000;
/** Cap on the pairs that are named. */
const MAX_NAMED = 20;

/** Services of the search; `lookAt` returns undefined for a file that is not an image, and for a damaged or uniform image. */
export interface LookingServices {
  readonly store: ObjectStore;
  readonly lookAt: (file: Uint8Array) => Look | undefined;
  readonly clock: () => Date;
}

type Content = Pick<ManifestEntry, 'key' | 'etag' | 'size'>;
type Looks = readonly { readonly content: Content; readonly look: Look }[];

/** Near-duplicates among the inputs of an evaluation; undefined if none of the inputs that were looked at is an image. */
interface NearDuplicates {
  readonly told: NonNullable<Evaluation['nearDuplicates']>;
  readonly contents: readonly Content[];
}

/**
 * Finds the images of an evaluation that look like one that was trained on, though their content differs. Beyond the caps it only looks at
 * the images with the first ETags, which are the same ones whenever it is repeated. If the evaluation's own images look alike, it finds
 * none.
 */
export async function findNearDuplicates(
  services: LookingServices,
  training: RunParts,
  inputs: Iterable<Content & { readonly copies: number }>,
): Promise<NearDuplicates | undefined> {
  const until = services.clock().getTime() + MAX_LOOKING_MS;
  const judged = await look(services, until, await firstByEtag(inputs, MAX_LOOKED_AT.judged));
  if (judged.length === 0) return undefined;
  const files = readManifest(services.store, bucketLayout.manifest(training));
  const trained = await look(services, until, await firstByEtag(files, MAX_LOOKED_AT.trained));
  const isUnclear = areAlike(judged.map((one) => one.look));
  const looks = trained.map((one) => one.look);
  const pairs = isUnclear
    ? []
    : judged.flatMap(({ content, look: own }) => {
        const like = trained[findNearDuplicate(own, looks) ?? -1];
        return like === undefined ? [] : [{ content, like: like.content.key }];
      });
  const found = new Set(pairs.map(({ content }) => content));
  const counted = [...inputs].filter((input) => found.has(input));
  const named = pairs.map(({ content, like }) => ({ key: content.key, like }));
  return {
    told: {
      count: counted.reduce((sum, { copies }) => sum + copies, 0),
      first: named.toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, MAX_NAMED),
      judged: judged.length,
      trained: trained.length,
      isUnclear,
    },
    contents: pairs.map(({ content }) => content),
  };
}

/**
 * Up to `limit` of the contents that are small enough, each once: those with the first ETags, which are hashes and so make a
 * random sample.
 */
async function firstByEtag(
  contents: Iterable<Content> | AsyncIterable<Content>,
  limit: number,
): Promise<Content[]> {
  let first = new Map<string, Content>();
  const cut = (): void => {
    const sorted = [...first].toSorted(([a], [b]) => (a < b ? -1 : 1));
    first = new Map(sorted.slice(0, limit));
  };
  for await (const content of contents) {
    if (content.size === 0 || content.size > MAX_BYTES) continue;
    first.set(`${content.etag} ${content.size}`, content);
    if (first.size >= 2 * limit) cut();
  }
  cut();
  return [...first.values()];
}

async function look(
  { store, lookAt, clock }: LookingServices,
  until: number,
  contents: readonly Content[],
): Promise<Looks> {
  const looks: Looks[number][] = [];
  const see = async (content: Content): Promise<Look | undefined> => {
    if (clock().getTime() > until) return undefined;
    const file = await readImageFile(store, content);
    return file && lookAt(file);
  };
  for await (const [content, seen] of inOrder(contents, READS_AT_ONCE, see))
    if (seen !== undefined) looks.push({ content, look: seen });
  return looks;
}

/** Undefined for a file that is not an image by its first bytes, or no longer the content that was frozen. */
async function readImageFile(store: ObjectStore, { key, etag }: Content): Promise<Buffer | undefined> {
  const opened = await store.open(key);
  if (opened === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(opened.body)) {
    chunks.push(Buffer.from(chunk));
    // Leaving the loop cancels the request.
    if (chunks.length === 1 && (opened.etag !== etag || imageKind(chunk) === undefined)) return undefined;
  }
  return Buffer.concat(chunks);
}

function bytesOf(body: Readable): AsyncIterable<Uint8Array> {
  return body;
}
