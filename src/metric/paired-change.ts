import { type Interval, wilsonInterval } from './wilson-interval.ts';

/** Counts of records by whether each of two runs was right. */
export interface PairedCells {
  readonly bothRight: number;
  /** Right before, wrong now. */
  readonly lost: number;
  /** Wrong before, right now. */
  readonly gained: number;
  readonly bothWrong: number;
}

/** A share before and now, with the 95 % interval of its change. */
export interface PairedChange {
  readonly records: number;
  readonly before: number;
  readonly now: number;
  /** Now minus before, −1 … 1. */
  readonly change: number;
  readonly interval: Interval;
}

/**
 * Change of the share of right answers with its 95 % interval, by squaring and adding Wilson intervals, method 10 of Newcombe
 * (1998, Statistics in Medicine 17:2635). Undefined without records.
 */
export function pairedChange({ bothRight, lost, gained, bothWrong }: PairedCells): PairedChange | undefined {
  const records = bothRight + lost + gained + bothWrong;
  const wilsonBefore = wilsonInterval(bothRight + lost, records);
  const wilsonNow = wilsonInterval(bothRight + gained, records);
  if (wilsonBefore === undefined || wilsonNow === undefined) return undefined;
  const before = (bothRight + lost) / records;
  const now = (bothRight + gained) / records;
  const change = (gained - lost) / records;
  const phi = correlation({ bothRight, lost, gained, bothWrong }, records);
  const reach = (x: number, y: number): number => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  return {
    records,
    before,
    now,
    change,
    interval: {
      low: Math.max(-1, change - reach(now - wilsonNow.low, wilsonBefore.high - before)),
      high: Math.min(1, change + reach(before - wilsonBefore.low, wilsonNow.high - now)),
    },
  };
}

/** Phi coefficient of the two judgments, with a continuity correction where it is positive. */
function correlation({ bothRight, lost, gained, bothWrong }: PairedCells, records: number): number {
  const spread =
    Math.sqrt((bothRight + lost) * (gained + bothWrong)) *
    Math.sqrt((bothRight + gained) * (lost + bothWrong));
  if (spread === 0) return 0;
  const agreement = bothRight * bothWrong - lost * gained;
  return (agreement > 0 ? Math.max(0, agreement - records / 2) : agreement) / spread;
}
