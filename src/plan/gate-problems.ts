import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';

/** Bounds of the gate that could never be checked. */
export function gateProblems({ gate, report }: PipelineConfig, classes: readonly string[]): Problem[] {
  if (gate === null) return [];
  const problems: Problem[] = [];
  for (const name of ['maxAccuracyDrop', 'significance'] as const) {
    const value = gate[name];
    if (value === undefined || report.baseline !== null) continue;
    problems.push({
      file: 'pipeline.json',
      field: `gate.${name}`,
      value: String(value),
      message: 'compares with report.baseline, which is not set: set it to "last-passed" or to a run',
    });
  }
  const { minRecall } = gate;
  if (typeof minRecall !== 'object') return problems;
  const known = new Set(classes);
  for (const name of Object.keys(minRecall)) {
    if (name === '*' || known.has(name)) continue;
    problems.push({
      file: 'pipeline.json',
      field: 'gate.minRecall',
      value: toShownValue(name),
      message: `names ${toShownValue(name)}, which labels.classes does not list`,
    });
  }
  return problems;
}

/** Whether a bound of the gate can be judged by labelled inputs alone. */
export function isLabelGate(gate: PipelineConfig['gate']): boolean {
  const { minAccuracy, minRecall, maxAccuracyDrop, significance, slices } = gate ?? {};
  return [minAccuracy, minRecall, maxAccuracyDrop, significance, slices].some((bound) => bound !== undefined);
}
