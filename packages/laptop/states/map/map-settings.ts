import type { MapState } from '../definition/machine.ts';
import type { Engine } from '../engine/engine.ts';
import type { Visit } from '../engine/thread.ts';
import { bindingsOf, wholeNumber } from '../engine/visit.ts';
import { EvaluationError } from '../expression/evaluate.ts';
import type { MapRun } from '../store/map-runs.ts';

/** AWS's limit for child executions of one map run at a time. */
export const MAX_AT_ONCE = 10_000;

/** How many children at once, and how many failed items are too many. */
export interface MapSettings {
  /** 0: as many as AWS allows. */
  readonly maxConcurrency: number;
  readonly toleratedCount: number | undefined;
  readonly toleratedPercentage: number | undefined;
}

/** @throws {EvaluationError} for a value out of range */
export async function mapSettings(engine: Engine, state: MapState, visit: Visit): Promise<MapSettings> {
  const bindings = bindingsOf(visit);
  const { ToleratedFailureCount: count, ToleratedFailurePercentage: percentage } = state;
  let toleratedPercentage: number | undefined;
  if (percentage !== undefined) {
    const value = await engine.evaluate(percentage, 'ToleratedFailurePercentage', bindings);
    if (typeof value !== 'number' || value < 0 || value > 100) {
      throw new EvaluationError(
        'ToleratedFailurePercentage',
        String(percentage),
        'must give a number from 0 to 100.',
      );
    }
    toleratedPercentage = value;
  }
  return {
    maxConcurrency: await wholeNumber(
      engine,
      'MaxConcurrency',
      state.MaxConcurrency ?? 0,
      bindings,
      0,
      MAX_AT_ONCE,
    ),
    toleratedCount:
      count === undefined
        ? undefined
        : await wholeNumber(engine, 'ToleratedFailureCount', count, bindings, 0, Number.MAX_SAFE_INTEGER),
    toleratedPercentage,
  };
}

/** Without a threshold, one failed item is too many; with both, either can be exceeded. */
export function isOverThreshold(
  { itemCounts }: MapRun,
  { toleratedCount, toleratedPercentage }: MapSettings,
): boolean {
  const failed = itemCounts.failed + itemCounts.timedOut + itemCounts.aborted;
  if (toleratedCount === undefined && toleratedPercentage === undefined) return failed > 0;
  if (toleratedCount !== undefined && failed > toleratedCount) return true;
  return toleratedPercentage !== undefined && (100 * failed) / itemCounts.total > toleratedPercentage;
}
