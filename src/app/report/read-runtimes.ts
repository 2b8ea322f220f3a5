import type { JobLogs } from '../../aws/job-log.ts';
import type { ReportJob } from '../../report/report.ts';

/** Lines read of a container's log: a container names its runtime when it starts. */
const FIRST_LINES = 100;
const RUNTIME = /^serving runtime: (.{1,300})$/;

/**
 * Runtimes that the containers of the first and the last job report by a line `serving runtime: …`, each once. AWS's own images write
 * none: then only the image is known.
 */
export async function readRuntimes(
  logs: Pick<JobLogs, 'beginning'>,
  jobs: readonly ReportJob[],
): Promise<{ readonly runtimes: readonly string[]; readonly notes: readonly string[] }> {
  const ran = jobs.filter(({ startedAt }) => startedAt !== null).map(({ name }) => name);
  const found = new Set<string>();
  try {
    for (const name of new Set([...ran.slice(0, 1), ...ran.slice(-1)])) {
      for (const { text } of await logs.beginning(name, FIRST_LINES)) {
        const runtime = RUNTIME.exec(text)?.[1];
        if (runtime !== undefined) found.add(runtime);
      }
    }
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return {
      runtimes: [],
      notes: [`the log of the job’s container cannot be read, so what ran in the image is not known: ${why}`],
    };
  }
  return { runtimes: [...found], notes: [] };
}
