import { essenceOf, isImageType } from '../../../api/media-type.ts';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import { isTar } from '../../../drop/tar-key.ts';
import { HEAD_BYTES } from '../../../file-kind/file-kind.ts';
import { unpackedHead } from '../../../file-kind/unpacked-head.ts';
import type { SentAs } from '../../../input/file-refusal.ts';
import { LookedAt, LooksAt } from '../../../input/looked-at.ts';
import { bundleOfMany, type EngineAsked, engineAsked } from '../../../plan/engine/engine-asked.ts';
import { enginesFor } from '../../../plan/engine/engine-config.ts';
import type { Asked, OpenedInputs } from '../../../plan/found.ts';
import { eachOnce } from '../../../problem/each-once.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { RunParts } from '../../../run/run-id.ts';
import { opensFiles } from '../../../transform/one-record.ts';
import { listInputs } from '../../inputs/list-inputs.ts';
import { tableSettings } from '../../inputs/opened-columns.ts';
import { stageAgain } from '../../inputs/stage-again.ts';
import { copyInputs, hasRefused } from '../../records/inputs.ts';
import { readManifest } from '../../records/manifest.ts';
import type { IndexSettings } from '../../records/tars.ts';
import { refusePlan } from '../write/refuse-plan.ts';

const READS_AT_ONCE = 32;

/** Tars that state `IndexTars` has still to open. */
export interface UnreadTars {
  readonly unread: number;
}

const AS_LISTED: OpenedInputs = {
  unpacked: null,
  work: null,
  usd: 0,
  notes: [],
  defects: [],
  refusal: undefined,
};

/** Makes the inputs of a run readable, before anything is read or judged: members of tars, and copies that have expired. */
export function openInputs(asked: Asked, store: ObjectStore): Promise<OpenedInputs | UnreadTars> {
  const { original, run, written, configuration } = asked;
  if (original !== null) {
    const isSent = original.purpose !== 'rescore';
    return openAgain(store, { run, of: original.plan.run, isSent, isRefused: written.length > 0 }).then(
      (opened) => ('unread' in opened ? opened : { ...opened, unpacked: original.plan.input.unpacked }),
    );
  }
  const engines = enginesFor(configuration.config);
  const configured = engines.map((name) => engineAsked(asked, name, AS_LISTED));
  const sound = configured.find(({ configuration: { further } }) => further.length === 0) ?? configured[0];
  const bundles = engines.map((name) => bundleOfMany(asked, name));
  const reads = {
    unpacks: bundles.every((bundle) => bundle === null),
    cutsLines: bundles.some((bundle) => bundle?.form === 'lines'),
  };
  return sound === undefined ? Promise.resolve(AS_LISTED) : openTars(asked, sound, store, reads);
}

/** Has a run use the inputs of another run of the same manifest. */
export async function openAgain(
  store: ObjectStore,
  {
    run,
    of,
    isSent,
    isRefused = false,
  }: { readonly run: RunParts; readonly of: string; readonly isSent: boolean; readonly isRefused?: boolean },
): Promise<OpenedInputs | UnreadTars> {
  const parts = RunParts.parse(of);
  // What the other run has opened is opened, but for copies of it.
  await copyInputs(store, run, parts);
  if (isRefused) return AS_LISTED;
  const staged = await stageAgain(store, { run, of: parts, isSent });
  return 'unread' in staged ? staged : { ...AS_LISTED, usd: staged.usd };
}

/**
 * Has a run take the members of the tars in its drop for inputs, and leave out files of kinds that no model reads. A
 * wrong setting is refused before tars are opened, which costs a write for each member if jobs read single objects.
 *
 * @param reads whether jobs read single objects, or cut objects into lines
 */
export async function openTars(
  { run, frozen, written }: Asked,
  { planning, configuration: { config, further } }: Pick<EngineAsked, 'planning' | 'configuration'>,
  store: ObjectStore,
  reads: Pick<IndexSettings, 'unpacks' | 'cutsLines'>,
): Promise<OpenedInputs | UnreadTars> {
  const contentType = essenceOf(config.transform.contentType);
  const { refused, refusal, notes } =
    config.columns === null
      ? await lookAtFiles(store, run, frozen.sourceBucket, config.transform)
      : // Tables are looked at as they are opened.
        { refused: new Map<string, string>(), refusal: undefined, notes: [] };
  // A model may be sent tars as they are.
  const isOpened =
    opensFiles({ ...config.transform, columns: config.columns }) ||
    (frozen.tars > [...refused.keys()].filter(isTar).length && contentType !== 'application/x-tar');
  if (!isOpened && refused.size === 0 && !(await hasRefused(store, run))) return { ...AS_LISTED, notes };
  const problems = eachOnce([...written, ...further]);
  if (isOpened && problems.length > 0) return refusePlan(store, run, problems);
  const { truth } = config.labels;
  const read = await listInputs(store, run, {
    refused,
    settings: isOpened
      ? {
          bucket: frozen.sourceBucket,
          prefix: frozen.sourcePrefix,
          largestBytes: planning.largestAllowedBytes(config),
          ...reads,
          sent: { contentType: config.transform.contentType, splitType: config.transform.splitType },
          images: isImageType(contentType),
          labels: truth?.from === 'member' ? { extension: truth.extension, path: truth.path } : null,
          table: tableSettings(config),
        }
      : null,
    maxCostUsd: config.limits.maxCostUsd,
  });
  if ('unread' in read) return read;
  if ('problems' in read) return refusePlan(store, run, read.problems);
  const { objects, bytes, ...rest } = read;
  return { ...rest, work: isOpened ? { objects, bytes } : null, notes: [...notes, ...read.notes], refusal };
}

/**
 * Looks at the first bytes of up to 1,000 files of a drop, which costs $0.0004, and counts all. Those that are gone or
 * changed are found after the job.
 */
async function lookAtFiles(
  store: ObjectStore,
  run: RunParts,
  bucket: string,
  transform: SentAs,
): Promise<{
  readonly refused: ReadonlyMap<string, string>;
  readonly refusal: string | undefined;
  readonly notes: readonly string[];
}> {
  const looks = new LooksAt<{ readonly key: string; readonly size: number; readonly etag: string }>(
    ({ key }) => key,
  );
  for await (const entry of readManifest(store, bucketLayout.manifest(run)))
    if (entry.size > 0) looks.add(entry);
  const looked = new LookedAt(transform);
  const source = store.in(bucket);
  const heads = inOrder(looks.files(), READS_AT_ONCE, async ({ key, size, etag }) =>
    source.readBytes(key, { start: 0, end: Math.min(size, HEAD_BYTES), etag }),
  );
  for await (const [{ key: name, size: sizeBytes }, head] of heads)
    if (head !== undefined) looked.add({ name, head, sizeBytes, unpacked: await unpackedHead(head) });
  return { refused: looked.refused, refusal: looked.problem, notes: looked.notes(looks.count) };
}
