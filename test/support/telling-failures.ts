import { thumbnail } from '../../functions/runtime/thumbnail.ts';
import { notify, type NotifyServices } from '../../src/app/report/notify.ts';
import { writeReport } from '../../src/app/report/write-report.ts';
import { writeTrainingReport } from '../../src/app/training/write-training-report.ts';
import type { Executions } from '../../src/aws/states/executions.ts';
import { RunParts } from '../../src/run/run-id.ts';
import { memoryEngineLogs } from './memory-engine-logs.ts';

/** Does at once what the state machine `report-failure` does. */
export function tellingFailures(services: NotifyServices): Pick<Executions, 'start'> {
  const report = async (input: { readonly run: string }): Promise<{ readonly status: string }> =>
    input.run.startsWith('training/')
      ? writeTrainingReport(writeTrainingReport.input.parse(input), services)
      : writeReport(writeReport.input.parse(input), { ...services, logs: memoryEngineLogs(), thumbnail });
  return {
    start: async (name, text) => {
      if (!/^[\x21-\x7e]{1,80}$/.test(name)) throw new RangeError(`no name of an execution: ${name}`);
      const { isMessageWritten, ...input } = JSON.parse(text);
      const { status } = isMessageWritten ? { status: 'failed' } : await report(input);
      await notify({ run: RunParts.parse(input.run), status }, services);
      return { outcome: 'started', arn: name };
    },
  };
}
