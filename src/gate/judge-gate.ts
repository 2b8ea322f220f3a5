import type { Metrics } from '../metric/metrics.ts';
import { sharePercent } from '../metric/share-percent.ts';
import type { GateBounds, GateCheck, GateEvidence } from './gate-check.ts';
import { lossChecks } from './loss-check.ts';
import { recallChecks } from './recall-check.ts';
import { whyUnjudged } from './why-unjudged.ts';

/** The decision of the gate, in one sentence. */
export interface Verdict {
  readonly verdict: 'passed' | 'failed' | 'none';
  readonly explanation: string;
}

/** Judges a run. A bound that cannot be checked fails. */
export function judgeGate(gate: GateBounds | null, evidence: GateEvidence): Verdict {
  const checks =
    gate === null
      ? []
      : [
          ...accuracyChecks(gate, evidence.metrics),
          ...lossChecks(gate, evidence),
          ...recallChecks(gate, evidence),
          ...errorChecks(gate, evidence.metrics),
        ];
  if (checks.length === 0) return { verdict: 'none', explanation: 'The pipeline sets no gate.' };
  const failed = checks.filter((check) => !check.passed);
  const clauses = (failed.length > 0 ? failed : checks).map((check) => check.says).join('; ');
  return failed.length > 0
    ? { verdict: 'failed', explanation: `The gate failed: ${clauses}.` }
    : { verdict: 'passed', explanation: `The gate passed: ${clauses}.` };
}

function accuracyChecks({ minAccuracy }: GateBounds, metrics: Metrics): GateCheck[] {
  if (minAccuracy === undefined) return [];
  const { accuracy } = metrics;
  if (accuracy === undefined) {
    const says = `accuracy must be at least ${sharePercent(minAccuracy)} and cannot be judged: ${whyUnjudged(metrics)}`;
    return [{ passed: false, says }];
  }
  const passed = accuracy >= minAccuracy;
  const relation = passed ? 'at least' : 'below';
  return [
    {
      passed,
      says: `accuracy ${sharePercent(accuracy, minAccuracy)} is ${relation} the minimum of ${sharePercent(minAccuracy, accuracy)}`,
    },
  ];
}

function errorChecks({ maxErrorRate }: GateBounds, { errorRate }: Metrics): GateCheck[] {
  if (maxErrorRate === undefined) return [];
  const passed = errorRate <= maxErrorRate;
  const relation = passed ? 'within' : 'above';
  return [
    {
      passed,
      says: `the error rate of ${sharePercent(errorRate, maxErrorRate)} is ${relation} the maximum of ${sharePercent(maxErrorRate, errorRate)}`,
    },
  ];
}
