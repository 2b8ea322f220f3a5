import { isDataLog, type JobLogs } from '../../src/aws/job-log.ts';

/** Logs of transform jobs in memory: lines by job and stream. */
export function memoryJobLogs(
  jobs: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {},
): JobLogs {
  const linesOf = (jobName: string) =>
    Object.entries(jobs[jobName] ?? {}).flatMap(([stream, texts]) =>
      texts.map((text) => ({ at: new Date(0), stream: `${jobName}/${stream}`, text })),
    );
  return {
    async *all(jobName) {
      yield* linesOf(jobName);
    },
    async *dataLog(jobName) {
      yield* linesOf(jobName).filter(({ stream }) => isDataLog(stream));
    },
    beginning: async (jobName, most) =>
      linesOf(jobName)
        .filter(({ stream }) => !isDataLog(stream))
        .slice(0, most),
  };
}
