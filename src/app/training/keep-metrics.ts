import type { ObjectStore } from '../../aws/object-store.ts';
import type { TrainingJobDescription } from '../../aws/training-jobs.ts';
import type { TrainingLogs } from '../../aws/training-log.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { hostOfStream } from '../../training/host-of-stream.ts';
import { metricCurves } from '../../training/metric-curves.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { trainingMetricsJson } from '../records/training-metrics.ts';

/** Lines of a log that are read: with the most metrics that SageMaker takes, they need half a minute. */
const MOST_LINES = 50_000;
const END_LINES = 50;

/** Reads the log of an ended job once, and writes its metrics and how it ended. */
export async function keepMetrics(
  run: RunParts,
  plan: TrainingPlan,
  job: TrainingJobDescription,
  { store, logs }: { readonly store: ObjectStore; readonly logs: TrainingLogs },
): Promise<void> {
  const reader = metricCurves(plan.metrics);
  let lines = 0;
  let isWhole = true;
  for await (const { stream, at, text } of logs.all(job.name)) {
    if (lines === MOST_LINES) {
      isWhole = false;
      break;
    }
    lines += 1;
    reader.add({ host: hostOfStream(stream), at, text });
  }
  const { series, logEnd } = reader.curves();
  const end = isWhole ? [] : await logs.end(job.name, END_LINES);
  const [first] = end;
  await trainingMetricsJson(run).write(store, {
    schema: 1,
    run: toRunId(run),
    jobName: job.name,
    final: Object.fromEntries(
      job.finalMetrics.map(({ name, value }) => [name, Number.isFinite(value) ? value : null]),
    ),
    series,
    logEnd:
      first === undefined
        ? logEnd
        : [{ host: hostOfStream(first.stream), lines: end.map(({ text }) => text) }],
    isWhole,
  });
}
