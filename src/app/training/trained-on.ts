import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { clusterOf } from '../../slice/cluster-of.ts';
import type { Clusters } from '../../slice/clusters.ts';
import { frozenJson } from '../records/drop.ts';
import { readManifest } from '../records/run.ts';
import type { IndexSettings } from '../records/tars.ts';
import type { Evaluation, SetAside } from '../records/training.ts';
import { RowFinder } from './find-equal-rows.ts';
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

/**
 * Finds the inputs of an evaluation that the training also had: the same content by ETag and size, whatever its key; images that look like
 * one of them; and those of a group of `clusters` of which the training had any. If files are opened as tables, rows are the inputs: those of a
 * file that the training also had, and those that equal one of its rows if there are more of them than chance makes. `incumbent` is the training that made the incumbent model.
 */
export async function findTrainedOn(
  services: LookingServices,
  training: RunParts,
  {
    judged,
    incumbent,
    clusters,
    table,
  }: {
    readonly judged: RunParts;
    readonly incumbent: RunParts | undefined;
    /** Read by the names of files: nothing is known of groups that a label file gives. */
    readonly clusters: Clusters | null;
    /** How files are opened as tables; null if each is an input. */
    readonly table: IndexSettings['table'];
  },
): Promise<Shared> {
  const { store } = services;
  /** Contents in the order of their first keys. */
  const inputs = new Map<
    string,
    { etag: string; size: number; key: string; copies: number; groups?: Set<string> }
  >();
  const groups = new Set<string>();
  const groupOf = await groupsIn(store, judged, clusters);
  let compared = 0;
  for await (const { key, etag, size } of readManifest(store, bucketLayout.manifest(judged))) {
    if (compared === MAX_COMPARED) break;
    compared += 1;
    const found = inputs.get(`${etag} ${size}`);
    const own = found ?? { etag, size, key, copies: 0 };
    if (found === undefined) inputs.set(`${etag} ${size}`, own);
    own.copies += 1;
    const group = groupOf(key);
    if (group === undefined) continue;
    (own.groups ??= new Set()).add(group);
    groups.add(group);
  }
  const seenBy = async (run: RunParts | undefined) => {
    const seen = { contents: new Set<string>(), groups: new Set<string>(), withoutGroup: 0 };
    if (run === undefined) return seen;
    const groupOf = await groupsIn(store, run, clusters);
    for await (const { key, etag, size } of readManifest(store, bucketLayout.manifest(run))) {
      if (inputs.has(`${etag} ${size}`)) seen.contents.add(`${etag} ${size}`);
      const group = groupOf(key);
      if (group === undefined) seen.withoutGroup += 1;
      else if (groups.has(group)) seen.groups.add(group);
    }
    return seen;
  };
  const seen = await seenBy(training);
  const seenBefore = await seenBy(incumbent);
  const finder = table && new RowFinder(services, table);
  if (finder !== null) {
    compared = 0;
    for (const [content, own] of inputs) {
      const isCompared = !seen.contents.has(content) && !shares(own.groups, seen.groups);
      const isKnown = seenBefore.contents.has(content) || shares(own.groups, seenBefore.groups);
      const most = MAX_COMPARED - compared;
      const rows = await finder.read(own, { copies: own.copies, isCompared, isKnown, most });
      // A file without rows is an input that can't be sent.
      own.copies *= Math.max(1, rows);
      compared += own.copies;
    }
  }
  const equal = await finder?.compare(training);
  const equalBefore = incumbent && (await finder?.compare(incumbent));
  const unseen = [...inputs.values()].filter(({ etag, size }) => !seen.contents.has(`${etag} ${size}`));
  const alike = finder === null ? await findNearDuplicates(services, training, unseen) : undefined;
  const lookalikes = new Set(alike?.contents.map(({ etag, size }) => `${etag} ${size}`));
  const contents: SetAside['contents'] = [];
  const incumbents: SetAside['incumbents'] = [];
  const keys = new Set<string>();
  let count = 0;
  let grouped = 0;
  let before = 0;
  for (const [content, { etag, size, key, copies, groups: own }] of inputs) {
    const isTrainedOn = seen.contents.has(content);
    const isAlike = lookalikes.has(content);
    const isShared = shares(own, seen.groups);
    if (isShared && !isTrainedOn && !isAlike) grouped += copies;
    if (isTrainedOn || isAlike || isShared) contents.push({ etag, size });
    if (seenBefore.contents.has(content) || shares(own, seenBefore.groups)) {
      incumbents.push({ etag, size });
      before += copies;
    }
    if (!isTrainedOn) continue;
    count += copies;
    keys.add(key);
  }
  for (const [content, { size, key, copies, others }] of finder?.rows ?? []) {
    const one = { etag: content, size };
    if (equalBefore?.areCopies === true && equalBefore.contents.has(content)) {
      incumbents.push(one);
      before += others;
    }
    if (equal?.areCopies !== true || !equal.contents.has(content)) continue;
    contents.push(one);
    count += copies;
    keys.add(key);
  }
  return {
    trainedOn: { count, first: [...keys].toSorted().slice(0, MAX_NAMED), compared },
    nearDuplicates: alike?.told ?? null,
    sharedGroups: clusters && {
      noun: clusters.noun,
      groups: seen.groups.size,
      first: [...seen.groups]
        .toSorted()
        .slice(0, MAX_NAMED)
        .map((group) => group.replaceAll('\n', ', ')),
      count: grouped,
      withoutGroup: seen.withoutGroup,
    },
    equalRows:
      equal === undefined || finder === null
        ? null
        : {
            ...{ areCopies: equal.areCopies, equal: equal.equal, repeated: equal.repeated },
            ...{ trained: equal.trained, unread: finder.unread },
          },
    incumbentTrainedOn: incumbent === undefined ? null : { training: toRunId(incumbent), count: before },
    setAside: { contents, incumbents },
  };
}

const shares = (groups: ReadonlySet<string> | undefined, seen: ReadonlySet<string>) =>
  groups !== undefined && !seen.isDisjointFrom(groups);

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
