import { short } from '../../text/figures.ts';

/** About `count` round numbers that cover a range; one number for a range without width. */
export function niceTicks([low, high]: readonly [number, number], count: number): readonly number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(short((first + at) * step, 12)));
}
