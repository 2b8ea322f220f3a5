/** Memory, descriptors and files that a process holds at one moment. */
export interface Holding {
  /** Seconds since the first look. */
  readonly atSeconds: number;
  readonly rssMb: number;
  /** After a full collection, if the process was started with --expose-gc. */
  readonly heapMb: number;
  readonly descriptors: number;
  /** Below the data folder. */
  readonly files: number;
}

const MEASURES = ['rssMb', 'heapMb', 'descriptors', 'files'] as const;
export type Measure = (typeof MEASURES)[number];

/** Growth over the judged part that does not count: noise of the collector, of idle connections, of logs that are kept. */
export type Allowed = Readonly<Record<Measure, number>>;

/** Change of a measure over the second half, by the line of least squares; the first half warms up. */
export function growthOf(series: readonly Holding[], measure: Measure): number {
  const half = series.slice(Math.floor(series.length / 2));
  const first = half[0];
  const last = half.at(-1);
  if (first === undefined || last === undefined || half.length < 2) return 0;
  const meanAt = half.reduce((sum, { atSeconds }) => sum + atSeconds, 0) / half.length;
  const mean = half.reduce((sum, holding) => sum + holding[measure], 0) / half.length;
  let above = 0;
  let below = 0;
  for (const holding of half) {
    above += (holding.atSeconds - meanAt) * (holding[measure] - mean);
    below += (holding.atSeconds - meanAt) ** 2;
  }
  return below === 0 ? 0 : (above / below) * (last.atSeconds - first.atSeconds);
}

/** One line a measure, and what grew by more than is allowed. */
export function judgeSeries(
  series: readonly Holding[],
  allowed: Allowed,
): { lines: string[]; problems: string[] } {
  const lines: string[] = [];
  const problems: string[] = [];
  for (const measure of MEASURES) {
    const growth = growthOf(series, measure);
    const shown = series.filter((_, index) => index % Math.ceil(series.length / 12) === 0);
    lines.push(
      `  ${measure.padEnd(11)} ${shown.map((holding) => Math.round(holding[measure])).join(' ')}  growth of the ` +
        `second half ${growth.toFixed(1)}, at most ${allowed[measure]}`,
    );
    if (growth > allowed[measure])
      problems.push(
        `${measure} grew by ${growth.toFixed(1)} over the second half, at most ${allowed[measure]}`,
      );
  }
  return { lines, problems };
}
