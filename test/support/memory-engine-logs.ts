import type { LogsByEngine } from '../../src/app/engine/engine-logs.ts';
import { sageMakerLogs } from '../../src/app/engine/sagemaker/sagemaker-logs.ts';
import { isDataLog } from '../../src/transform/data-log.ts';
import { noLogs } from './no-engine.ts';

/** The engines' logs over transform jobs in memory: lines by job and stream. */
export function memoryEngineLogs(
  jobs: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {},
): LogsByEngine {
  const linesOf = (jobName: string) =>
    Object.entries(jobs[jobName] ?? {}).flatMap(([stream, texts]) =>
      texts.map((text) => ({ at: new Date(0), stream: `${jobName}/${stream}`, text })),
    );
  const sagemaker = sageMakerLogs({
    async *all(jobName) {
      yield* linesOf(jobName);
    },
    async *dataLog(jobName) {
      yield* linesOf(jobName).filter(({ stream }) => isDataLog(stream));
    },
    hasWords: async (jobName, words) => linesOf(jobName).some(({ text }) => text.includes(words)),
    beginning: async (jobName, most) =>
      linesOf(jobName)
        .filter(({ stream }) => !isDataLog(stream))
        .slice(0, most),
  });
  return { sagemaker, lambda: noLogs };
}
