import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import type { Problem } from '../../problem/problem.ts';
import { isOneRecord } from '../../transform/one-record.ts';

/** Bounds that have no test which may be repeated after each round. */
const WHOLE_ONLY = ['minRecall', 'slices'] as const;

/** Why the gate of a run cannot be decided early as asked. */
export function earlyProblems(config: PipelineConfig): Problem[] {
  const { gate, sample, labels, transform } = config;
  if (gate?.decide !== 'early') return [];
  const refuse = (message: string): Problem => ({
    ...{ file: 'pipeline.json', field: 'gate.decide', value: 'early', message },
  });
  const problems: Problem[] = [];
  if (sample !== null)
    problems.push(
      refuse(
        'must be "all" beside a sample, whose size is given: leave out the sample, or set gate.decide to "all"',
      ),
    );
  if (gate.minAccuracy === undefined && gate.maxAccuracyDrop === undefined)
    problems.push(
      refuse(
        'must be "all" without gate.minAccuracy or gate.maxAccuracyDrop, the bounds that are decided early: set one',
      ),
    );
  const whole = WHOLE_ONLY.filter((bound) => gate[bound] !== undefined);
  if (whole.length > 0)
    problems.push(
      refuse(
        `must be "all" with ${whole.map((bound) => `gate.${bound}`).join(' and ')}: only gate.minAccuracy, gate.maxAccuracyDrop and gate.maxErrorRate can be decided by a part of the drop. Set gate.decide to "all", or leave the bound out`,
      ),
    );
  if (labels.truth === null)
    problems.push(
      refuse('must be "all" without labels.truth, since nothing could decide it: set labels.truth'),
    );
  if (!isOneRecord(transform))
    problems.push(
      refuse(
        `must be "all" where an input may hold many records (transform.splitType ${transform.splitType}, contentType ${transform.contentType}): inputs are drawn whole, and records of one input are too much alike`,
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
