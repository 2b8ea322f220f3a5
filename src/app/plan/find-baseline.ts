import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { parseRunId, toRunId } from '../../drop/run-id.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { PlannedBaseline } from '../../plan/plan.ts';
import type { Problem } from '../../problem/problem.ts';
import { inOrder } from '../run/in-order.ts';
import { RunSummary } from '../run/run-index.ts';

/** Entries of the index that "last-passed" looks at, newest first. */
const MOST_ENTRIES = 1_000;
const CONCURRENT_READS = 8;

/** What `report.baseline` comes to for one run. */
export interface FoundBaseline {
  readonly baseline: PlannedBaseline | null;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/** Finds the run to compare with; it is settled here, so that every shard compares with the same one. */
export async function findBaseline(
  store: ObjectStore,
  run: RunParts,
  asked: string | null,
): Promise<FoundBaseline> {
  if (asked === null) return { baseline: null, notes: [], problems: [] };
  if (asked !== 'last-passed') return namedBaseline(store, run, asked);
  const passed = await lastPassed(store, run);
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
  return { baseline: { asked, run: asked }, notes: [], problems: [] };
}

async function lastPassed(store: ObjectStore, run: RunParts): Promise<string | null> {
  const { objects } = await store.listPage(bucketLayout.index(run.pipeline), { limit: MOST_ENTRIES });
  const entries = inOrder(objects, CONCURRENT_READS, ({ key }) => store.readText(key));
  for await (const [, text] of entries) {
    if (text === undefined) continue;
    const entry = RunSummary.parse(JSON.parse(text));
    const found = parseRunId(entry.run);
    if (entry.gate !== 'passed' || found === undefined || entry.run === toRunId(run)) continue;
    if (await hasRows(store, found)) return entry.run;
  }
  return null;
}

/** Retention may have taken the rows of an old run. */
async function hasRows(store: ObjectStore, run: RunParts): Promise<boolean> {
  const found = await Promise.all([
    store.describe(bucketLayout.plan(run)),
    store.describe(bucketLayout.shards(run)),
    store.describe(bucketLayout.rows(run, 0)),
  ]);
  return found.every((object) => object !== undefined);
}
