import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { PROGRAM } from '../../report/program.ts';
import type { Report } from '../../report/report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { receiptJson, wholePlanJson } from '../records/report.ts';

/** Writes receipt.json next to the report. */
export async function writeReceipt(store: ObjectStore, run: RunParts, report: Report): Promise<void> {
  const [plan, manifest] = await Promise.all([
    wholePlanJson(run).read(store),
    store.describe(bucketLayout.manifest(run)),
  ]);
  const { total, records, correct, accuracy, errors } = report;
  await receiptJson(run).write(store, {
    schema: 1,
    run: report.run,
    createdAt: report.createdAt,
    program: PROGRAM,
    status: report.status,
    plan: plan ?? null,
    manifest:
      manifest === undefined ? null : { key: manifest.key, etag: manifest.etag, sizeBytes: manifest.size },
    jobs: report.jobs,
    figures: { total, records, correct, accuracy, errors },
    seconds: report.seconds,
    costUsd: report.costUsd,
  });
}
