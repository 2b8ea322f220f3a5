import type { JobLogs } from '../../../aws/logs/job-log.ts';
import { DataLogReader, isDataLog, TOO_SLOW } from '../../../transform/data-log.ts';
import type { EngineLogs } from '../engine-logs.ts';

/** Lines read of a container's log: a container names its runtime when it starts. */
const FIRST_LINES = 100;
const RUNTIME = /^serving runtime: (.{1,300})$/;

/**
 * Logs of transform jobs: lines of containers and of SageMaker's data log, which says why inputs failed. A container reports its
 * runtime by a line `serving runtime: …`; AWS's own images write none.
 */
export function sageMakerLogs(logs: JobLogs): EngineLogs {
  return {
    async *all({ jobName }, since, mayRead) {
      for await (const { at, stream, text } of logs.all(jobName, since, mayRead))
        yield {
          at,
          source: isDataLog(stream) ? 'data-log' : 'container',
          instance: stream.split('/')[1] ?? '',
          text,
        };
    },
    async *failures({ jobName }, most) {
      const reader = new DataLogReader(most);
      for await (const { text } of logs.dataLog(jobName)) reader.add(text);
      // gunicorn kills the worker of a late request, and the proxy in front of it answers 502, as for one that crashed.
      let wasKilled: boolean | undefined;
      for (const failure of reader.failures()) {
        const isLate =
          failure.status === 502 && (wasKilled ??= await logs.hasWords(jobName, 'WORKER TIMEOUT'));
        yield isLate ? { ...failure, isLate, why: `${failure.why}${TOO_SLOW}` } : failure;
      }
    },
    async runtimes({ jobName }) {
      const lines = await logs.beginning(jobName, FIRST_LINES);
      return lines.flatMap(({ text }) => RUNTIME.exec(text)?.[1] ?? []);
    },
  };
}
