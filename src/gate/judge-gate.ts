import type { Metrics } from '../metric/metrics.ts';

/** Bounds that decide whether a run passes. */
export interface GateBounds {
  readonly minAccuracy?: number | undefined;
  readonly maxErrorRate?: number | undefined;
}

/** What the gate decided, in one sentence. */
export interface Verdict {
  readonly verdict: 'passed' | 'failed' | 'none';
  readonly explanation: string;
}

/** Judges a run. A bound that cannot be checked fails: a gate that lets the unknown through is none. */
export function judgeGate(gate: GateBounds | null, metrics: Metrics): Verdict {
  const checks = gate === null ? [] : [...accuracyChecks(gate, metrics), ...errorChecks(gate, metrics)];
  if (checks.length === 0) return { verdict: 'none', explanation: 'The pipeline sets no gate.' };
  const failed = checks.filter((check) => !check.passed);
  const told = (failed.length > 0 ? failed : checks).map((check) => check.says).join(', and ');
  return failed.length > 0
    ? { verdict: 'failed', explanation: `The gate failed: ${told}.` }
    : { verdict: 'passed', explanation: `The gate passed: ${told}.` };
}

interface Check {
  readonly passed: boolean;
  readonly says: string;
}

function accuracyChecks({ minAccuracy }: GateBounds, { accuracy }: Metrics): Check[] {
  if (minAccuracy === undefined) return [];
  if (accuracy === undefined)
    return [{ passed: false, says: `accuracy must be at least ${percent(minAccuracy)} and is not known` }];
  const passed = accuracy >= minAccuracy;
  const relation = passed ? 'at least' : 'below';
  return [
    { passed, says: `accuracy ${percent(accuracy)} is ${relation} the minimum of ${percent(minAccuracy)}` },
  ];
}

function errorChecks({ maxErrorRate }: GateBounds, { errorRate }: Metrics): Check[] {
  if (maxErrorRate === undefined) return [];
  const passed = errorRate <= maxErrorRate;
  const relation = passed ? 'within' : 'above';
  return [
    {
      passed,
      says: `the error rate of ${percent(errorRate)} is ${relation} the maximum of ${percent(maxErrorRate)}`,
    },
  ];
}

/** Enough digits that 69.96% is not shown as the 70% it misses. */
function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
