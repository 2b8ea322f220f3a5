import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { toShownValue } from '../../../pipeline/shown-value.ts';
import type { Plan, PlannedBaseline } from '../../../plan/plan.ts';
import type { Problem } from '../../../problem/problem.ts';
import { parseRunId, type RunParts, toRunId } from '../../../run/run-id.ts';
import { frozenJson } from '../../records/drop.ts';
import { hasRows, judgedByJson } from '../../records/judged-run.ts';
import { promotionJson } from '../../records/promotion.ts';
import { newestDrops, newestRuns } from '../../records/run-index.ts';

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
 * @param predictedBy the run with the scored predictions: "last-passed" skips the runs with the same predictions, since a run that
 * is compared with itself loses nothing
 * @param isWhole whether the other run must have predicted all of its drop, for example when the comparison is decided early: two
 * parts that are drawn separately share few inputs
 */
export async function findBaseline(
  store: ObjectStore,
  run: RunParts,
  asked: string | null,
  {
    predictedBy = toRunId(run),
    isWhole = false,
  }: { readonly predictedBy?: string | undefined; readonly isWhole?: boolean } = {},
): Promise<FoundBaseline> {
  if (asked === null) return { baseline: null, notes: [], problems: [] };
  if (asked !== 'last-passed') return namedBaseline(store, run, { asked, isWhole });
  const passed = await lastPassed(store, run.pipeline, { except: [toRunId(run), predictedBy], isWhole });
  const kind = isWhole ? ' with all of its inputs' : '';
  const notes =
    passed === null
      ? [
          `report.baseline: no earlier run of this pipeline passed its gate${kind}, so there is nothing to compare ` +
            `with${isWhole ? ', and all inputs are predicted' : ''}`,
        ]
      : [`report.baseline: the last run that passed its gate${kind} is ${passed}`];
  return { baseline: { asked, run: passed }, notes, problems: [] };
}

async function namedBaseline(
  store: ObjectStore,
  run: RunParts,
  { asked, isWhole }: { readonly asked: string; readonly isWhole: boolean },
): Promise<FoundBaseline> {
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
  const { judgedByDrop, sample } = await judgedByJson(named).require(store);
  if (judgedByDrop.length > 0) {
    return refuse(
      `names a run with a job.json that sets ${judgedByDrop.join(', ')}: name one that only pipeline.json judged`,
    );
  }
  if (isWhole && sample !== null) {
    return refuse(
      `names a run of ${sample.inputs} of ${sample.of} inputs, and gate.decide is "early" with gate.maxAccuracyDrop: ` +
        `what both runs have drawn would be too little to decide. Predict the rest (inferdrop continue ${asked}) and ` +
        'name the run that does so, or set gate.decide to "all"',
    );
  }
  return { baseline: { asked, run: asked }, notes: [], problems: [] };
}

/**
 * The newest run of a pipeline that passed its gate, still has its rows, was judged only by pipeline.json, and used the pipeline's
 * model or one that became it; null if none of the newest 1,000 is such a run. The runs of `except`, and runs that score their
 * predictions again, are skipped; with `isWhole`, so are runs of a part of their drop.
 */
export async function lastPassed(
  store: ObjectStore,
  pipeline: string,
  { except = [], isWhole = false }: { readonly except?: readonly string[]; readonly isWhole?: boolean } = {},
): Promise<string | null> {
  for await (const entry of newestRuns(store, 'inference', pipeline, MAX_ENTRIES)) {
    const found = parseRunId(entry.run);
    if (entry.gate !== 'passed' || found === undefined || (isWhole && entry.sampleOf !== null)) continue;
    if (except.includes(entry.run) || except.includes(entry.rescoreOf ?? '')) continue;
    if (!(await hasRows(store, found)) || (await isUnproven(store, found))) continue;
    const { judgedByDrop, sample } = await judgedByJson(found).require(store);
    if (judgedByDrop.length === 0 && sample?.file !== 'job.json') return entry.run;
  }
  return null;
}

/** The newest run of the pipeline that has ended, other than the run itself and than trials of a probe. */
export async function previousRun(store: ObjectStore, run: RunParts): Promise<Plan['previous']> {
  for await (const { run: ended, accuracy } of newestDrops(store, run.pipeline, 2))
    if (ended !== toRunId(run)) return { run: ended, accuracy };
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
