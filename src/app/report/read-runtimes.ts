import type { JobLogs } from '../../aws/job-log.ts';
import type { ReportJob } from '../../report/report.ts';

/** Lines of a container's log that are looked at: a container that says what runs in it does so when it starts. */
const FIRST_LINES = 100;
const RUNTIME = /^serving runtime: (.{1,300})$/;

/**
 * What the containers of the first and the last job say of themselves, each once. A container that writes no line
 * `serving runtime: …`, as AWS's own images do not, says nothing: then the image alone is known.
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
