import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { changedLabels } from '../../../label/label-changes.ts';
import { actsByItself } from '../../../pipeline/resolve-gate.ts';
import type { Asked, Found } from '../../../plan/found.ts';
import { RunParts, toRunId } from '../../../run/run-id.ts';
import { hasRows } from '../../records/judged-run.ts';
import { reportFigures } from '../../records/run-index.ts';

/** Runs that each shard looks through at most. */
const MAX_RUNS = 8;

/**
 * The runs that have answered the same inputs before, as far as they matter: the one that this manifest comes from, the one that
 * it's compared with, and, if something follows from the gate, the previous one. A run that changed labels itself adds the runs
 * that it compared with, so that a second run can't make a change look old.
 */
export async function labelsSince(
  store: ObjectStore,
  { run, frozen, configuration: { config } }: Asked,
  { compared, previous }: Pick<Found, 'compared' | 'previous'>,
): Promise<readonly string[]> {
  const { truth } = config.labels;
  if (truth === null || frozen.trial !== undefined) return [];
  const { origin } = frozen;
  const isActing = actsByItself(config) || frozen.candidate !== undefined;
  const asked = [
    origin.mode === 'drop' ? null : origin.of,
    compared.baseline?.run ?? null,
    isActing ? (previous?.run ?? null) : null,
  ];
  const found: string[] = [];
  for (const name of new Set(asked)) {
    if (name === null || name === toRunId(run)) continue;
    const parts = RunParts.parse(name);
    if (!(await hasRows(store, parts))) continue;
    const changes = (await reportFigures(parts).read(store))?.labelChanges ?? null;
    const before = changes !== null && changedLabels(changes) > 0 ? changes.since : [];
    for (const earlier of before) if (await hasRows(store, RunParts.parse(earlier))) found.push(earlier);
    found.push(name);
  }
  return [...new Set(found)].slice(0, MAX_RUNS);
}
