import * as z from 'zod';

/** Summary of one metric's values in one minute. */
export const MetricBucket = z.object({
  count: z.number(),
  sum: z.number(),
  min: z.number(),
  max: z.number(),
  /** How many values lie in each class of `classOf`: percentiles come of it. */
  classes: z.record(z.string(), z.number()),
});
export type MetricBucket = z.infer<typeof MetricBucket>;

/** Classes are 1 % wide, so a percentile is within 1 % of the true one. */
const WIDTH = Math.log(1.01);

/** A bucket without values. */
export function emptyBucket(): MetricBucket {
  return { count: 0, sum: 0, min: Infinity, max: -Infinity, classes: {} };
}

/** Adds `count` values of the same size. */
export function addValue(bucket: MetricBucket, value: number, count = 1): void {
  bucket.count += count;
  bucket.sum += value * count;
  bucket.min = Math.min(bucket.min, value);
  bucket.max = Math.max(bucket.max, value);
  const name = classOf(value);
  bucket.classes[name] = (bucket.classes[name] ?? 0) + count;
}

/** The two together; neither is changed. */
export function mergeBuckets(a: MetricBucket, b: MetricBucket): MetricBucket {
  const classes = { ...a.classes };
  for (const [name, count] of Object.entries(b.classes)) classes[name] = (classes[name] ?? 0) + count;
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    classes,
  };
}

/** The value below which `percent` of the values lie. */
export function percentileOf(bucket: MetricBucket, percent: number): number {
  const sorted = Object.entries(bucket.classes)
    .map(([name, count]) => [middleOf(name), count] as const)
    .sort(([a], [b]) => a - b);
  let left = (percent / 100) * bucket.count;
  for (const [value, count] of sorted) {
    left -= count;
    if (left <= 0) return Math.min(bucket.max, Math.max(bucket.min, value));
  }
  return bucket.max;
}

function classOf(value: number): string {
  if (value === 0) return '0';
  const sign = value < 0 ? '-' : '+';
  return `${sign}${Math.round(Math.log(Math.abs(value)) / WIDTH)}`;
}

function middleOf(name: string): number {
  if (name === '0') return 0;
  return (name.startsWith('-') ? -1 : 1) * Math.exp(Number(name.slice(1)) * WIDTH);
}
