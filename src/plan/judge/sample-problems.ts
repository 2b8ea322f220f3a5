import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import type { Problem } from '../../problem/problem.ts';
import { isOneRecord } from '../../transform/one-record.ts';
import { isLabelGate } from './gate-problems.ts';

/** The file that asks for a sample, or the probe, which asks nothing of its figures. */
export type SampleFile = 'pipeline.json' | 'job.json' | 'probe';

/** Why a run cannot be of a sample as asked. */
export function sampleProblems(config: PipelineConfig, file: SampleFile): Problem[] {
  const { sample, labels, transform, columns } = config;
  if (sample === null || file === 'probe') return [];
  if (!isOneRecord({ ...transform, columns }))
    return [
      {
        file,
        field: 'sample',
        value: String(sample.inputs),
        message:
          `must not be given where an input may hold many records (transform.splitType ${transform.splitType}, ` +
          `contentType ${transform.contentType}): inputs are drawn whole, and no interval of their records would hold. ` +
          'Leave sample out',
      },
    ];
  if (sample.by === 'class' && labels.truth === null)
    return [
      {
        file,
        field: 'sample.by',
        value: sample.by,
        message:
          'must be "folder" or "none" where there are no labels to draw by: set labels.truth, or sample.by',
      },
    ];
  const minInputs = isLabelGate(config.gate) ? (resolveGate(config)?.minInputs ?? 0) : 0;
  if (sample.inputs < minInputs)
    return [
      {
        file,
        field: 'sample.inputs',
        value: String(sample.inputs),
        message:
          `must be at least ${minInputs}, gate.minInputs (30 for a sample unless it is set), is ${sample.inputs}: the ` +
          'gate could give no verdict',
      },
    ];
  return [];
}
