import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Measurement } from '../../run/measurement.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { trainingReportJson } from '../records/training-report.ts';

/** The metrics of a training with a written report. The runs that judged its model have metrics of their own. */
export async function measureTraining(store: ObjectStore, run: RunParts): Promise<Measurement> {
  const { status } = await trainingReportJson(run).require(store);
  return {
    facts: { run: toRunId(run), pipeline: run.pipeline, status },
    groups: [{ by: [['pipeline', 'status'], ['status']], values: { Trainings: 1 } }],
  };
}
