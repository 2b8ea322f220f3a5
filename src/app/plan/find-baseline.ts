import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { PlannedBaseline } from '../../plan/plan.ts';
import type { Problem } from '../../problem/problem.ts';
import { parseRunId, type RunParts, toRunId } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { hasRows, judgedByJson } from '../records/plan.ts';
import { newestRuns } from '../records/run-index.ts';
import { promotionJson } from '../records/training.ts';

/** Cap on the index entries read for "last-passed", newest first. */
const MAX_ENTRIES = 1_000;

/** `report.baseline`, resolved for one run. */
export interface FoundBaseline {
  readonly baseline: PlannedBaseline | null;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Finds the run to compare with; it is chosen here, so that every shard compares with the same one.
 *
 * @param predictedBy the run whose predictions are scored: "last-passed" skips the runs with the same predictions, since a run that is
 * compared with itself loses nothing
 */
export async function findBaseline(
  store: ObjectStore,
  run: RunParts,
  asked: string | null,
  predictedBy = toRunId(run),
): Promise<FoundBaseline> {
  if (asked === null) return { baseline: null, notes: [], problems: [] };
  if (asked !== 'last-passed') return namedBaseline(store, run, asked);
  const passed = await lastPassed(store, run.pipeline, [toRunId(run), predictedBy]);
  const notes =
    passed === null
      ? [
          'report.baseline: no earlier run of this pipeline passed its gate, so there is nothing to compare with',
        ]
      : [`report.baseline: the last run that passed its gate is ${passed}`];
  return { baseline: { asked, run: passed }, notes, problems: [] };
}

async function namedBaseline(store: ObjectStore, run: RunParts, asked: string): Promise<FoundBaseline> {
  const named = parseRunId(asked);
  const refuse = (message: string): FoundBaseline => ({
    baseline: null,
    notes: [],
    problems: [{ file: 'pipeline.json', field: 'report.baseline', value: toShownValue(asked), message }],
  });
  if (named === undefined) return refuse('must be "last-passed" or a run, <pipeline>/<drop>/<generation>');
  if (toRunId(run) === asked) return refuse('must name another run than the one that compares with it');
  if (!(await hasRows(store, named))) {
    return refuse('names a run that left no predictions: name one that "inferdrop runs" shows as completed');
  }
  const { judgedByDrop } = await judgedByJson(named).require(store);
  if (judgedByDrop.length > 0) {
    return refuse(
      `names a run whose job.json sets ${judgedByDrop.join(', ')}: name one that pipeline.json alone judged`,
    );
  }
  return { baseline: { asked, run: asked }, notes: [], problems: [] };
}

/**
 * The newest run of a pipeline that passed its gate, still has its rows, was judged by pipeline.json alone, and whose model was the
 * pipeline's or has become it; null if none of the newest 1,000 is such a run. The runs of `except`, and runs that score their predictions
 * again, are skipped.
 */
export async function lastPassed(
  store: ObjectStore,
  pipeline: string,
  except: readonly string[] = [],
): Promise<string | null> {
  for await (const entry of newestRuns(store, 'inference', pipeline, MAX_ENTRIES)) {
    const found = parseRunId(entry.run);
    if (entry.gate !== 'passed' || found === undefined) continue;
    if (except.includes(entry.run) || except.includes(entry.rescoreOf ?? '')) continue;
    if (!(await hasRows(store, found)) || (await isUnproven(store, found))) continue;
    const { judgedByDrop, sample } = await judgedByJson(found).require(store);
    if (judgedByDrop.length === 0 && sample?.file !== 'job.json') return entry.run;
  }
  return null;
}

/** Whether a run judged a candidate that has not become the pipeline's model. */
async function isUnproven(store: ObjectStore, run: RunParts): Promise<boolean> {
  const candidate = (await frozenJson(run).read(store))?.candidate;
  if (candidate === undefined) return false;
  const training = parseRunId(candidate.training);
  const promotion = training && (await promotionJson(training).read(store));
  return promotion?.promotion !== 'promoted' || promotion.sha256 !== candidate.sha256;
}
