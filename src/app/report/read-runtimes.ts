import type { JobRecord } from '../../transform/job-record.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';

/** Runtimes that the first and the last job report, each once; if they report none, only the image is known. */
export async function readRuntimes(
  logs: LogsByEngine,
  jobs: readonly JobRecord[],
): Promise<{ readonly runtimes: readonly string[]; readonly notes: readonly string[] }> {
  const ran = jobs.filter(({ startedAt }) => startedAt !== undefined);
  const found = new Set<string>();
  try {
    for (const job of new Set([...ran.slice(0, 1), ...ran.slice(-1)]))
      for (const runtime of await logs[job.engine.name].runtimes(job)) found.add(runtime);
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return {
      runtimes: [],
      notes: [`the log of the job’s container cannot be read, so what ran in the image is not known: ${why}`],
    };
  }
  return { runtimes: [...found], notes: [] };
}
