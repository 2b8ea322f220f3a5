import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { LABEL_FILE_NAMES } from '../../drop/drop-key.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { isCondition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { isTrial } from '../../run/generation.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { findDropFile, frozenJson } from '../records/drop.ts';
import { type UsedLabels, usedLabelsJson } from '../records/used-labels.ts';
import { listDropState } from '../run/list-drop-state.ts';
import { requireRescorable } from '../run/rescorable.ts';

/** Ended runs of a drop that are looked through for the newest one with a plan. */
const MAX_RUNS = 100;

const ALONE =
  'came without any input: upload the inputs next to it. New labels for an earlier run go to the folder of its drop, ' +
  'as inferdrop rescore RUN --labels FILE puts them there';

/**
 * Has a generation without new inputs judge the predictions of its drop's newest run, if a label file has arrived that
 * this run has not read. Labels without predictions are a problem.
 *
 * @returns the generation as it is to be frozen, or `busy` while another run of the drop may still read the labels
 */
export async function withLateLabels(
  store: ObjectStore,
  run: RunParts,
  listed: Frozen,
  before: { readonly run: RunParts; readonly frozen: Frozen } | undefined,
): Promise<Frozen | 'busy'> {
  const { generations, reruns } = await listDropState(store, run, undefined);
  if (reruns.some(({ isClosed, hasEnded }) => isClosed && !hasEnded)) return 'busy';
  const ended = [...generations, ...reruns].filter((one) => one.hasEnded && !isTrial(one.generation));
  // Of two that ended in one second the later generation comes first.
  ended.reverse().sort((a, b) => Number(b.endedAt) - Number(a.endedAt));
  let used: UsedLabels | undefined;
  let judged = before === undefined || before.frozen.objects === 0 ? undefined : before.run;
  for (const { generation } of ended.slice(0, MAX_RUNS)) {
    used = await usedLabelsJson({ ...run, generation }).read(store);
    if (used === undefined) continue;
    judged = { ...run, generation };
    break;
  }
  const truth = used?.labels.truth;
  const path = truth?.from === 'file' ? truth.path : undefined;
  const marker = before && (await store.describe(bucketLayout.freezing(before.run)));
  for (const file of path ? [path] : LABEL_FILE_NAMES) {
    const { found } = await findDropFile(store, run, file);
    if (found === undefined) continue;
    const isNew = path
      ? found.etag !== used?.labels.etag
      : !marker || found.lastModified > marker.lastModified;
    if (!isNew) continue;
    const problem = (message: string): Frozen => ({
      ...listed,
      problems: [{ file, field: '', value: '', message }],
    });
    if (judged === undefined) return problem(ALONE);
    try {
      const original = await requireRescorable(store, judged);
      const { coveredSlices, frozenAt, statedBy } = listed;
      const origin = { mode: 'rescore', of: toRunId(original), judgedBy: found.etag } as const;
      const manifest = await frozenJson(original).require(store);
      return { ...manifest, coveredSlices, frozenAt, ...(statedBy && { statedBy }), origin };
    } catch (error) {
      if (isCondition(error, 'NothingToRescore') || isCondition(error, 'PredictionsExpired'))
        return problem(`came too late: ${error.message}`);
      throw error;
    }
  }
  return listed;
}
