import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { clusterOf } from '../../slice/cluster-of.ts';
import type { Clusters } from '../../slice/dimension.ts';
import type { EqualRows } from '../../training/equal-rows.ts';
import { frozenJson } from '../records/drop.ts';
import { readManifest } from '../records/manifest.ts';
import type { SetAside } from '../records/set-aside.ts';
import type { IndexSettings } from '../records/tars.ts';
import type { Evaluation } from '../records/training.ts';
import { type JudgedRow, RowFinder } from './find-equal-rows.ts';
import { findNearDuplicates, type LookingServices } from './find-near-duplicates.ts';

/** Cap on the inputs of an evaluation that are held in memory, about 150 MB; later ones are not checked. */
const MAX_COMPARED = 1_000_000;
/** Cap on the keys that are named. */
const MAX_NAMED = 20;

/** Inputs that an evaluation shares with a training, and with the training that made the incumbent model. */
interface Shared {
  readonly trainedOn: Evaluation['trainedOn'];
  readonly nearDuplicates: Evaluation['nearDuplicates'];
  readonly sharedGroups: Evaluation['sharedGroups'];
  readonly equalRows: Evaluation['equalRows'];
  readonly incumbentTrainedOn: Evaluation['incumbentTrainedOn'];
  readonly setAside: Omit<SetAside, 'schema'>;
}

/** The contents of an evaluation's files, by ETag and size, in the order of their first keys; and the groups of them. */
interface Judged {
  readonly inputs: Map<string, JudgedContent>;
  readonly groups: Set<string>;
}

interface JudgedContent {
  readonly etag: string;
  readonly size: number;
  readonly key: string;
  /** Inputs: files, or rows of files that are opened. */
  copies: number;
  groups?: Set<string>;
}

/** Contents and groups that a training had of an evaluation's contents and groups, and the number of its files that have no group. */
interface Seen {
  readonly contents: Set<string>;
  readonly groups: Set<string>;
  withoutGroup: number;
}

/** Inputs that don't count: in figures, and in comparisons with the incumbent model. */
interface Aside {
  readonly contents: SetAside['contents'];
  readonly incumbents: SetAside['incumbents'];
  /** Files with at least one trained-on input. */
  readonly keys: Set<string>;
  /** Inputs that were trained on; those that only share a group; and those that the incumbent model was trained on. */
  count: number;
  grouped: number;
  before: number;
}

/**
 * Finds the inputs of an evaluation that the training also had: the same content, whatever its key; images that look alike; groups of
 * `clusters`; and rows of tables that equal one of its rows, if they're more than chance makes.
 */
export async function findTrainedOn(
  services: LookingServices,
  training: RunParts,
  {
    judged: run,
    incumbent,
    clusters,
    table,
  }: {
    readonly judged: RunParts;
    /** The training that made the incumbent model. */
    readonly incumbent: RunParts | undefined;
    /** Read by the names of files: nothing is known of groups that a label file gives. */
    readonly clusters: Clusters | null;
    /** How files are opened as tables; null if each is an input. */
    readonly table: IndexSettings['table'];
  },
): Promise<Shared> {
  const { store } = services;
  const judged = await readJudged(store, run, clusters);
  const inputs = [...judged.inputs.values()];
  const seen = await seenBy(store, training, judged, clusters);
  const seenBefore = await seenBy(store, incumbent, judged, clusters);
  const finder = table && new RowFinder(services, table);
  if (finder !== null) await readRows(finder, inputs, seen, seenBefore);
  const equal = await finder?.compare(training);
  const equalBefore = incumbent && (await finder?.compare(incumbent));
  const unseen = inputs.filter((input) => !seen.contents.has(contentOf(input)));
  const alike = finder === null ? await findNearDuplicates(services, training, unseen) : undefined;
  const aside: Aside = { contents: [], incumbents: [], keys: new Set(), count: 0, grouped: 0, before: 0 };
  const lookalikes = new Set(alike?.contents.map(contentOf));
  for (const input of inputs) setAsideFile(aside, input, { seen, seenBefore, lookalikes });
  for (const row of finder?.rows ?? []) setAsideRow(aside, row, equal, equalBefore);
  return {
    trainedOn: {
      count: aside.count,
      first: [...aside.keys].toSorted().slice(0, MAX_NAMED),
      compared: inputs.reduce((sum, { copies }) => sum + copies, 0),
    },
    nearDuplicates: alike?.told ?? null,
    sharedGroups: clusters && {
      noun: clusters.noun,
      groups: seen.groups.size,
      first: [...seen.groups]
        .toSorted()
        .slice(0, MAX_NAMED)
        .map((group) => group.replaceAll('\n', ', ')),
      count: aside.grouped,
      withoutGroup: seen.withoutGroup,
    },
    equalRows:
      equal === undefined || finder === null
        ? null
        : {
            areCopies: equal.areCopies,
            equal: equal.equal,
            repeated: equal.repeated,
            trained: equal.trained,
            unread: finder.unread,
          },
    incumbentTrainedOn:
      incumbent === undefined ? null : { training: toRunId(incumbent), count: aside.before },
    setAside: { contents: aside.contents, incumbents: aside.incumbents },
  };
}

async function readJudged(store: ObjectStore, run: RunParts, clusters: Clusters | null): Promise<Judged> {
  const judged: Judged = { inputs: new Map(), groups: new Set() };
  const groupOf = await groupsIn(store, run, clusters);
  let compared = 0;
  for await (const { key, etag, size } of readManifest(store, bucketLayout.manifest(run))) {
    if (compared === MAX_COMPARED) break;
    compared += 1;
    const content = contentOf({ etag, size });
    const own = judged.inputs.get(content) ?? { etag, size, key, copies: 0 };
    judged.inputs.set(content, own);
    own.copies += 1;
    const group = groupOf(key);
    if (group === undefined) continue;
    (own.groups ??= new Set()).add(group);
    judged.groups.add(group);
  }
  return judged;
}

async function seenBy(
  store: ObjectStore,
  training: RunParts | undefined,
  { inputs, groups }: Judged,
  clusters: Clusters | null,
): Promise<Seen> {
  const seen: Seen = { contents: new Set(), groups: new Set(), withoutGroup: 0 };
  if (training === undefined) return seen;
  const groupOf = await groupsIn(store, training, clusters);
  for await (const { key, etag, size } of readManifest(store, bucketLayout.manifest(training))) {
    const content = contentOf({ etag, size });
    if (inputs.has(content)) seen.contents.add(content);
    const group = groupOf(key);
    if (group === undefined) seen.withoutGroup += 1;
    else if (groups.has(group)) seen.groups.add(group);
  }
  return seen;
}

/** Has the finder read the rows of the files, which are the inputs. */
async function readRows(
  finder: RowFinder,
  inputs: readonly JudgedContent[],
  seen: Seen,
  seenBefore: Seen,
): Promise<void> {
  let most = MAX_COMPARED;
  for (const own of inputs) {
    const isCompared = !isTouched(seen, own);
    const isKnown = isTouched(seenBefore, own);
    const rows = await finder.read(own, { copies: own.copies, isCompared, isKnown, most });
    // A file without rows is an input that can't be sent.
    own.copies *= Math.max(1, rows);
    most -= own.copies;
  }
}

function setAsideFile(
  aside: Aside,
  own: JudgedContent,
  {
    seen,
    seenBefore,
    lookalikes,
  }: { readonly seen: Seen; readonly seenBefore: Seen; readonly lookalikes: ReadonlySet<string> },
): void {
  const { etag, size, key, copies } = own;
  const isTrainedOn = isSeen(seen, own);
  const isAlike = lookalikes.has(contentOf(own));
  const isShared = shares(seen, own);
  if (isShared && !isTrainedOn && !isAlike) aside.grouped += copies;
  if (isTrainedOn || isAlike || isShared) aside.contents.push({ etag, size });
  if (isTouched(seenBefore, own)) {
    aside.incumbents.push({ etag, size });
    aside.before += copies;
  }
  if (!isTrainedOn) return;
  aside.count += copies;
  aside.keys.add(key);
}

function setAsideRow(
  aside: Aside,
  [etag, { size, key, copies, others }]: readonly [string, JudgedRow],
  equal: EqualRows | undefined,
  equalBefore: EqualRows | undefined,
): void {
  if (equalBefore?.areCopies === true && equalBefore.contents.has(etag)) {
    aside.incumbents.push({ etag, size });
    aside.before += others;
  }
  if (equal?.areCopies !== true || !equal.contents.has(etag)) return;
  aside.contents.push({ etag, size });
  aside.count += copies;
  aside.keys.add(key);
}

function contentOf({ etag, size }: Pick<JudgedContent, 'etag' | 'size'>): string {
  return `${etag} ${size}`;
}

function isSeen({ contents }: Seen, input: JudgedContent): boolean {
  return contents.has(contentOf(input));
}

/** Whether a training had an input, or another of its groups. */
function isTouched(seen: Seen, own: JudgedContent): boolean {
  return isSeen(seen, own) || shares(seen, own);
}

function shares({ groups }: Seen, { groups: own }: JudgedContent): boolean {
  return own !== undefined && !groups.isDisjointFrom(own);
}

/** Gives the group of a file of a run; undefined without a value, which tells nothing. */
async function groupsIn(
  store: ObjectStore,
  run: RunParts,
  clusters: Clusters | null,
): Promise<(key: string) => string | undefined> {
  if (clusters === null) return () => undefined;
  const prefix = (await frozenJson(run).read(store))?.sourcePrefix ?? bucketLayout.dropFolder(run);
  const groupOf = clusterOf(clusters, prefix);
  return (key) => {
    const group = groupOf({ key });
    return group.trim() === '' ? undefined : group;
  };
}
