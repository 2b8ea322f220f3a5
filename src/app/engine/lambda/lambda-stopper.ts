import type { Executions } from '../../../aws/states/executions.ts';
import type { JobRecord } from '../../../transform/job-record.ts';
import type { JobStopper } from '../engine.ts';

/** Stops jobs that are executions of predict-shards. */
export function lambdaStopper(executions: Pick<Executions, 'arnOf' | 'describe' | 'stop'>): JobStopper {
  const isRunning = async ({ jobName }: JobRecord): Promise<boolean> =>
    (await executions.describe(executions.arnOf(jobName)))?.status === 'RUNNING';
  return {
    isRunning,
    async stop(record) {
      if (!(await isRunning(record))) return;
      await executions.stop(executions.arnOf(record.jobName), {
        error: 'Stopped',
        cause: record.stopReason ?? 'the run does not go on',
      });
    },
  };
}
