import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Measurement } from '../../run/measurement.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { reportFigures } from '../records/run-index.ts';

/** The metrics of a run with a written report. A report that is written again is counted again. */
export async function measureRun(store: ObjectStore, run: RunParts, seconds: number): Promise<Measurement> {
  const { status, total, errors, accuracy, costUsd, gate } = await reportFigures(run).require(store);
  return {
    facts: { run: toRunId(run), pipeline: run.pipeline, status, gate: gate.verdict },
    groups: [
      { by: [['pipeline', 'status'], ['status']], values: { Runs: 1 } },
      {
        by: [['pipeline']],
        values: {
          Inputs: total,
          InputErrors: errors,
          AccuracyPercent: accuracy === null ? null : accuracy * 100,
          GatesPassed: gate.verdict === 'none' ? null : Number(gate.verdict === 'passed'),
          CostUsd: costUsd,
          RunSeconds: seconds,
        },
      },
    ],
  };
}
