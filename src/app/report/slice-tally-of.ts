import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { parseSliceName } from '../../slice/slice-name.ts';
import { SliceTally } from '../../slice/slice-tally.ts';

/** An empty tally of a plan's slices that keeps the ones the gate names; undefined if the plan has no dimensions. */
export function sliceTally({ report, gate }: Pick<ScoringPlan, 'report' | 'gate'>): SliceTally | undefined {
  if (report.slices.length === 0) return undefined;
  const named = new Map<string, string[]>();
  for (const name of Object.keys(gate?.slices ?? {})) {
    const slice = parseSliceName(name);
    if (slice === undefined || slice.value === null) continue;
    named.set(slice.dimension, [...(named.get(slice.dimension) ?? []), slice.value]);
  }
  return new SliceTally(
    report.slices.map(({ name }) => name),
    named,
    gate?.slices !== undefined && report.clusters !== null,
  );
}
