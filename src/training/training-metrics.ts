import * as z from 'zod';
import { RunId } from '../run/run-id.ts';

/** One value of a metric; null for a value that is not finite, such as NaN. */
const Point = z.object({ at: z.iso.datetime(), value: z.number().nullable() });

/** `metrics.json` of a training: its metrics, and the end of its log. Written once the job has ended. */
export const TrainingMetrics = z.object({
  schema: z.literal(1),
  run: RunId,
  jobName: z.string(),
  /** FinalMetricDataList: the last value of each metric by SageMaker's own reading of the log. */
  final: z.record(z.string(), z.number().nullable()),
  /** The values that we read from the log with the same expressions, in the order of the metrics, then of the hosts. */
  series: z.array(
    z.object({
      metric: z.string(),
      /** `algo-1`, `algo-2`, … */
      host: z.string(),
      /** Number of all values; if they are more than the document keeps, `points` are spread evenly over them. */
      count: z.int().nonnegative(),
      points: z.array(Point),
    }),
  ),
  /** The last lines of each host, oldest first. */
  logEnd: z.array(z.object({ host: z.string(), lines: z.array(z.string()) })),
  /** Runtime instead of the image, if the container names it: `PyTorch 2.13.0 / Python 3.11.7`. AWS's images do not. */
  runtime: z.string().nullable(),
  /** Packages from the container's list, or from pip's line about those it installed; empty if the log has neither. */
  packages: z.array(z.string()),
  /** False if the log has more lines than were read. */
  isWhole: z.boolean(),
});
export type TrainingMetrics = z.infer<typeof TrainingMetrics>;
