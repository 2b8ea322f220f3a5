import { exactUpper } from '../../metric/exact-bound.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { recallByClass } from '../../pipeline/recall-by-class.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { Problem } from '../../problem/problem.ts';
import { sharePercent } from '../../text/share-percent.ts';
import { isOneRecord } from '../../transform/one-record.ts';

/** Bounds of the gate that could never be checked. */
export function gateProblems(config: PipelineConfig, classes: readonly string[]): Problem[] {
  const { gate, report } = config;
  if (gate === null) return [];
  const problems = unprovable(config);
  if (gate.maxAccuracyDrop !== undefined && report.baseline === null)
    problems.push({
      file: 'pipeline.json',
      field: 'gate.maxAccuracyDrop',
      value: String(gate.maxAccuracyDrop),
      message: 'compares with report.baseline, which is not set: set it to "last-passed" or to a run',
    });
  const { minRecall, slices } = gate;
  for (const [field, bounds] of Object.entries({ minRecall, slices }))
    if (typeof bounds === 'object' && Object.keys(bounds).length === 0)
      problems.push({
        file: 'pipeline.json',
        field: `gate.${field}`,
        value: '{}',
        message:
          'has no bound, so that it would pass whatever the answers are: set one, by name or for "*", or leave it out',
      });
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

/** Bounds that must be proven and leave no room: the lower end of an interval is below 1, however many answers are right. */
function unprovable(config: PipelineConfig): Problem[] {
  const { gate } = config;
  const confidence = resolveGate(config)?.confidence ?? null;
  if (confidence === null) return [];
  const known =
    gate?.confidence === undefined
      ? 'by default, since the verdict has consequences or speaks for inputs that are not judged'
      : 'as set';
  const shares = [
    { field: 'gate.minAccuracy', floor: gate?.minAccuracy },
    ...Object.entries(recallByClass(gate?.minRecall)).map(([name, { minRecall: floor }]) => ({
      field: typeof gate?.minRecall === 'number' ? 'gate.minRecall' : `gate.minRecall[${toShownValue(name)}]`,
      floor,
    })),
    ...Object.entries(gate?.slices ?? {}).map(([name, { minAccuracy: floor }]) => ({
      field: `gate.slices[${toShownValue(name)}].minAccuracy`,
      floor,
    })),
  ].filter(({ floor }) => floor === 1);
  const proven = sharePercent(exactUpper(0, 300, confidence));
  return [
    ...shares.map(({ field }) => ({
      file: 'pipeline.json',
      field,
      value: '1',
      message:
        `must be below 1 where gate.confidence is ${confidence} (${known}), is 1: however many answers are right, they ` +
        'never prove that all are. Set it to 0.999 or less, or gate.confidence to null',
    })),
    ...(gate?.maxErrorRate === 0
      ? [
          {
            file: 'pipeline.json',
            field: 'gate.maxErrorRate',
            value: '0',
            message:
              `must be above 0 where gate.confidence is ${confidence} (${known}), is 0: 0 errors of 300 inputs prove at ` +
              `most ${proven}, and no number proves 0. Set it to 0.001 or more, or gate.confidence to null`,
          },
        ]
      : []),
  ];
}

/** Whether labeled inputs are enough to judge some bound of the gate. */
export function isLabelGate(gate: PipelineConfig['gate']): boolean {
  const { minAccuracy, minRecall, maxAccuracyDrop, slices } = gate ?? {};
  return [minAccuracy, minRecall, maxAccuracyDrop, slices].some((bound) => bound !== undefined);
}

/** Cap on the classes and slices that rounds decide, because each one takes time after every round. */
const MAX_PARTS = 64;

/** Why the gate of a run can't be decided early. @param classes the list in labels.classes */
export function earlyProblems(config: PipelineConfig, classes: readonly string[]): Problem[] {
  const { gate, sample, labels, transform, columns, report } = config;
  if (gate?.decide !== 'early') return [];
  const refuse = (message: string): Problem => ({
    file: 'pipeline.json',
    field: 'gate.decide',
    value: 'early',
    message,
  });
  const problems: Problem[] = [];
  if (sample !== null)
    problems.push(
      refuse(
        'must be "all" along with a sample of a given size: leave out the sample, or set gate.decide to "all"',
      ),
    );
  if (!isLabelGate(gate))
    problems.push(
      refuse(
        'must be "all" without gate.minAccuracy, gate.maxAccuracyDrop, gate.minRecall and gate.slices, the bounds ' +
          'that are decided early: set one',
      ),
    );
  const recalls = Object.keys(recallByClass(gate.minRecall));
  const slices = Object.keys(gate.slices ?? {});
  const parts = (recalls.includes('*') ? classes.length : recalls.length) + slices.length;
  if (slices.includes('*'))
    problems.push(
      refuse(
        'must be "all" with gate.slices["*"], which bounds slices that no round may have drawn yet: name the slices, ' +
          'or set gate.decide to "all"',
      ),
    );
  if (parts > MAX_PARTS)
    problems.push(
      refuse(
        `must be "all" where gate.minRecall and gate.slices bound more than ${MAX_PARTS} classes and slices, here ` +
          `${parts}: name those that matter, or set gate.decide to "all"`,
      ),
    );
  if (parts > 0 && report.clusters !== null)
    problems.push(
      refuse(
        'must be "all" with gate.minRecall or gate.slices along with report.clusters: how many groups the rest of a ' +
          'class has is not known before it is predicted. Set gate.decide to "all", or leave those bounds out',
      ),
    );
  if (labels.truth === null)
    problems.push(
      refuse('must be "all" without labels.truth, since nothing could decide it: set labels.truth'),
    );
  if (!isOneRecord({ ...transform, columns }))
    problems.push(
      refuse(
        `must be "all" where an input may hold many records (transform.splitType ${transform.splitType}, contentType ` +
          `${transform.contentType}): inputs are drawn whole, and records of one input are too much alike`,
      ),
    );
  if (resolveGate(config)?.confidence === null)
    problems.push(
      refuse('must be "all" where gate.confidence is null: leave gate.confidence out (0.95), or set it'),
    );
  return problems;
}

/** Whether a loss against another run is decided early. */
export function isLossDecidedEarly(gate: PipelineConfig['gate']): boolean {
  return gate?.decide === 'early' && gate.maxAccuracyDrop !== undefined;
}
