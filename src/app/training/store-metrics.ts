import type { TrainingLogs } from '../../aws/logs/training-log.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { TrainingJobDescription } from '../../aws/sagemaker/training-jobs.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { hostOfStream } from '../../training/host-of-stream.ts';
import { logLineage } from '../../training/log-lineage.ts';
import { END_LINES, metricCurves } from '../../training/metric-curves.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { trainingMetricsJson } from '../records/training-work.ts';

/**
 * Cap on the log that is read, so that the step finishes within the 110 s of its function: a page of the log has 1 MB, and matching took
 * 4 µs a line and metric if the expression begins with letters of its own, a hundred times that if it begins with a class or ".*".
 */
const MAX_LINES = 50_000;
const MAX_CHARACTERS = 20_000_000;
const MAX_MS = 45_000;

/** Reads the log of an ended job once, and writes its metrics and how it ended. */
export async function storeMetrics(
  run: RunParts,
  plan: TrainingPlan,
  job: TrainingJobDescription,
  {
    store,
    logs,
    clock,
  }: { readonly store: ObjectStore; readonly logs: TrainingLogs; readonly clock: () => Date },
): Promise<void> {
  const reader = metricCurves(plan.metrics);
  const ran = logLineage();
  let lines = 0;
  let characters = 0;
  let isWhole = true;
  const until = clock().getTime() + MAX_MS;
  for await (const { stream, at, text } of logs.all(job.name)) {
    if (lines === MAX_LINES || characters > MAX_CHARACTERS || clock().getTime() > until) {
      isWhole = false;
      break;
    }
    lines += 1;
    characters += text.length;
    reader.add({ host: hostOfStream(stream), at, text });
    ran.add(text);
  }
  const { series, logEnd } = reader.curves();
  const end = metricCurves([]);
  if (!isWhole)
    for (const { stream, at, text } of await logs.end(job.name, END_LINES))
      end.add({ host: hostOfStream(stream), at, text });
  await trainingMetricsJson(run).write(store, {
    schema: 1,
    run: toRunId(run),
    jobName: job.name,
    final: Object.fromEntries(
      job.finalMetrics.map(({ name, value }) => [name, Number.isFinite(value) ? value : null]),
    ),
    series,
    logEnd: isWhole ? logEnd : end.curves().logEnd,
    ...ran.lineage(),
    isWhole,
  });
}
