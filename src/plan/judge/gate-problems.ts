import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { Problem } from '../../problem/problem.ts';

/** Bounds of the gate that could never be checked. */
export function gateProblems(config: PipelineConfig, classes: readonly string[]): Problem[] {
  const { gate, report } = config;
  if (gate === null) return [];
  const problems = unprovable(config);
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

/** Bounds of 1 that must be proven: the lower end of an interval is below 1, however many answers are right. */
function unprovable(config: PipelineConfig): Problem[] {
  const { gate } = config;
  const confidence = resolveGate(config)?.confidence ?? null;
  if (confidence === null) return [];
  const bounds = [
    { field: 'gate.minAccuracy', minAccuracy: gate?.minAccuracy },
    ...Object.entries(gate?.slices ?? {}).map(([name, { minAccuracy }]) => ({
      field: `gate.slices[${toShownValue(name)}].minAccuracy`,
      minAccuracy,
    })),
  ];
  const known =
    gate?.confidence === undefined
      ? 'by default, since the verdict has consequences or speaks for inputs that are not judged'
      : 'as set';
  return bounds
    .filter(({ minAccuracy }) => minAccuracy === 1)
    .map(({ field }) => ({
      ...{ file: 'pipeline.json', field, value: '1' },
      message: `must be below 1 where gate.confidence is ${confidence} (${known}), is 1: however many answers are right, they never prove that all are. Set it to 0.999 or less, or gate.confidence to null`,
    }));
}

/** Whether a bound of the gate can be judged by labelled inputs alone. */
export function isLabelGate(gate: PipelineConfig['gate']): boolean {
  const { minAccuracy, minRecall, maxAccuracyDrop, significance, slices } = gate ?? {};
  return [minAccuracy, minRecall, maxAccuracyDrop, significance, slices].some((bound) => bound !== undefined);
}
