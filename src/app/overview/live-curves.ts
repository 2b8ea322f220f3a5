import type { Curve } from '../../api/console/run-data.ts';
import type { TrainingLogs } from '../../aws/logs/training-log.ts';
import { hostOfStream } from '../../training/host-of-stream.ts';
import { metricCurves } from '../../training/metric-curves.ts';
import type { TrainingJobRecord } from '../../training/training-job-record.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';

/** Reads the curves of a training under way from the log of its newest job; none before it has one. */
export type LiveCurves = (
  plan: TrainingPlan | undefined,
  records: readonly TrainingJobRecord[],
) => Promise<readonly Curve[]>;

/** Share of the time that reading one log may take: a long log is read less often than the pages look. */
const RESTS = 10;
/** Number of jobs that have their last reading kept. */
const MAX_KEPT = 50;

interface Reading {
  readonly curves: readonly Curve[];
  /** The log is not read again before. */
  readonly untilMs: number;
}

/** Reader of curves that remembers its last reading of each job. */
export function liveCurves(logs: Pick<TrainingLogs, 'all'>, clock: () => Date): LiveCurves {
  const readings = new Map<string, Reading>();
  return async (plan, records) => {
    const job = records.findLast(({ status }) => status !== 'Planned')?.jobName;
    if (plan === undefined || plan.metrics.length === 0 || job === undefined) return [];
    const known = readings.get(job);
    const beganMs = clock().getTime();
    if (known !== undefined && beganMs < known.untilMs) return known.curves;
    const reader = metricCurves(plan.metrics);
    for await (const { stream, at, text } of logs.all(job))
      reader.add({ host: hostOfStream(stream), at, text });
    const endedMs = clock().getTime();
    const curves = reader.curves().series;
    if (readings.size >= MAX_KEPT) readings.clear();
    readings.set(job, { curves, untilMs: endedMs + RESTS * (endedMs - beganMs) });
    return curves;
  };
}
