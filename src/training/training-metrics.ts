import * as z from 'zod';
import { RunId } from '../run/run-id.ts';

/** One value of a metric; null for a value that is not finite, such as NaN. */
const Point = z.object({ at: z.iso.datetime(), value: z.number().nullable() });

/** `metrics.json` of a training: what its metrics were, and how the log ended. Written once the job has ended. */
export const TrainingMetrics = z.object({
  schema: z.literal(1),
  run: RunId,
  jobName: z.string(),
  /** FinalMetricDataList: the last value of each metric by SageMaker's own reading of the log. */
  final: z.record(z.string(), z.number().nullable()),
  /** By our reading of the log with the same expressions; in the order of the metrics, then of the hosts. */
  series: z.array(
    z.object({
      metric: z.string(),
      /** `algo-1`, `algo-2`, … */
      host: z.string(),
      /** All values that there were; `points` are spread evenly over them where they are more than the document keeps. */
      count: z.int().nonnegative(),
      points: z.array(Point),
    }),
  ),
  /** The last lines of each host, oldest first. */
  logEnd: z.array(z.object({ host: z.string(), lines: z.array(z.string()) })),
  /** What ran in the image's place, where the container says it: `PyTorch 2.13.0 / Python 3.11.7`. AWS's images say nothing. */
  runtime: z.string().nullable(),
  /** Packages by the container's list, or by pip's line on what it has installed; empty where the log has neither. */
  packages: z.array(z.string()),
  /** False where the log has more lines than were read. */
  isWhole: z.boolean(),
});
export type TrainingMetrics = z.infer<typeof TrainingMetrics>;
