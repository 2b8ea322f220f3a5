import type { Measurement } from './measurement.ts';

/** The metrics of a sweep that did not finish its work; a complete one is not counted, since a metric is billed while it has values. */
export function measureSweep(
  sweep: 'runs' | 'endpoints',
  { failed, isWhole = true }: { readonly failed: number; readonly isWhole?: boolean },
): Measurement | undefined {
  if (failed === 0 && isWhole) return undefined;
  return {
    facts: { sweep, failed },
    groups: [{ by: [['sweep']], values: { IncompleteSweeps: 1 } }],
  };
}
