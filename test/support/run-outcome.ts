import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { ManifestEntry } from '../../src/drop/manifest-entry.ts';
import { Report } from '../../src/report/report.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { JobRecord } from '../../src/transform/job-record.ts';

/** All that a run left in the bucket for people to read. */
export interface RunOutcome {
  readonly report: Report;
  readonly message: {
    readonly subject: string;
    readonly body: string;
    readonly attributes: Record<string, string>;
  };
  /** Lines of errors.csv below its header; empty where there is no such file. */
  readonly errors: readonly string[];
  readonly jobs: readonly JobRecord[];
  /** Keys of the manifest, relative to the drop. */
  readonly manifest: readonly string[];
}

/** Reads what a run left. */
export async function readOutcome(store: ObjectStore, name: string): Promise<RunOutcome> {
  const run = toRun(name);
  const text = async (key: string): Promise<string> => {
    const found = await store.readText(key);
    if (found === undefined) throw new Error(`${key} is not there`);
    return found;
  };
  const jobs: JobRecord[] = [];
  for await (const { key } of store.list(bucketLayout.jobs(run))) {
    if (key.endsWith('/job.json')) jobs.push(JobRecord.parse(JSON.parse(await text(key))));
  }
  return {
    report: Report.parse(JSON.parse(await text(bucketLayout.reportJson(run)))),
    message: JSON.parse(await text(bucketLayout.message(run))),
    errors: lines(await store.readText(bucketLayout.errors(run))).slice(1),
    jobs: jobs.sort((a, b) => a.attempt - b.attempt),
    manifest: await readManifestKeys(store, name),
  };
}

/** Keys of a run's manifest, relative to the drop; empty before it has frozen. */
export async function readManifestKeys(store: ObjectStore, name: string): Promise<string[]> {
  const run = toRun(name);
  const prefix = bucketLayout.dropFolder(run);
  return lines(await store.readText(bucketLayout.manifest(run))).map((line) =>
    ManifestEntry.parse(JSON.parse(line)).key.slice(prefix.length),
  );
}

function lines(text = ''): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}
