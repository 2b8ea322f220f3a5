import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { recallByClass } from '../../pipeline/recall-by-class.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import type { Problem } from '../../problem/problem.ts';
import { isOneRecord } from '../../transform/one-record.ts';
import { isLabelGate } from './gate-problems.ts';

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
