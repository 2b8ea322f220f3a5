import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { failedPlaceOf } from '../../input/file-place.ts';
import type { Report, ReportFailure } from '../../report/report.ts';
import { ERRORS_CSV } from '../../report/table/errors-csv.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readReconciled } from '../records/reconciled.ts';
import type { Explanations } from './explain-failures.ts';
import { SHOWN_FAILURES } from './merge-shards.ts';

/** Writes the errors.csv of a run without any prediction, which is never folded, and counts the reasons. */
export async function reportUnpredicted(
  store: ObjectStore,
  run: RunParts,
  explain: Explanations['explain'],
): Promise<Pick<Report, 'errors' | 'errorRate' | 'errorsByReason' | 'failures'>> {
  const errorsByReason: Record<string, number> = {};
  const failures: ReportFailure[] = [];
  let errors = 0;
  async function* csv(): AsyncGenerator<string> {
    yield ERRORS_CSV.header;
    if ((await store.describe(bucketLayout.reconciled(run))) === undefined) return;
    for await (const entry of readReconciled(store, run)) {
      const { error = 'output-missing', detail = '' } = entry;
      const failure = explain({ ...failedPlaceOf(entry, null), reason: error, detail });
      errorsByReason[error] = (errorsByReason[error] ?? 0) + 1;
      errors++;
      if (failures.length < SHOWN_FAILURES) failures.push(failure);
      yield ERRORS_CSV.line(failure);
    }
  }
  await store.writeStream(bucketLayout.errors(run), csv(), { contentType: 'text/csv; charset=utf-8' });
  return { errors, errorRate: errors > 0 ? 1 : 0, errorsByReason, failures };
}
