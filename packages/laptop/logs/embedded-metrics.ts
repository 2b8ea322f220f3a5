import * as z from 'zod';
import { isRecord, jsonOrUndefined } from '../kernel/json.ts';

const Embedded = z.object({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string().min(1).max(1024),
        Dimensions: z.array(z.array(z.string().min(1).max(250)).max(30)),
        Metrics: z
          .array(z.object({ Name: z.string().min(1).max(1024), Unit: z.string().optional() }))
          .max(100),
      }),
    ),
  }),
});
const Value = z.union([z.number().transform((value) => [value]), z.array(z.number()).max(100)]);

/** Values of one set of dimensions. */
interface EmbeddedMetrics {
  readonly namespace: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, number>>;
}

/**
 * The metrics in a line of CloudWatch's embedded metric format. As in AWS, other lines are just lines, and a dimension set with
 * missing members or a metric with a non-numeric value is ignored.
 */
export function* embeddedMetrics(line: string): Generator<EmbeddedMetrics> {
  // Most lines hold no metric, and logging is on the path of every invocation: look before parsing.
  if (!line.includes('"CloudWatchMetrics"')) return;
  const root = jsonOrUndefined(line);
  const embedded = Embedded.safeParse(root);
  if (!isRecord(root) || !embedded.success) return;
  for (const { Namespace: namespace, Dimensions, Metrics } of embedded.data._aws.CloudWatchMetrics) {
    for (const names of Dimensions) {
      const dimensions = Object.fromEntries(
        names.flatMap((name) => (isText(root[name]) ? [[name, String(root[name])]] : [])),
      );
      if (Object.keys(dimensions).length < names.length) continue;
      const measured = Metrics.map(({ Name }) => [Name, Value.safeParse(root[Name]).data ?? []] as const);
      const most = Math.max(0, ...measured.map(([, values]) => values.length));
      for (let at = 0; at < most; at++)
        yield {
          namespace,
          dimensions,
          values: Object.fromEntries(
            measured.flatMap(([name, values]) =>
              values.slice(at, at + 1).map((value): [string, number] => [name, value]),
            ),
          ),
        };
    }
  }
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && value !== '';
}
