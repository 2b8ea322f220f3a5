import { short } from '../../../src/text/figures.ts';

/** Round values at equal distances, from at most the lowest to at least the highest. */
export function scale(lowest: number, highest: number): number[] {
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return [0, 1];
  const range = highest - lowest || Math.abs(highest) || 1;
  const rough = range / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.floor(lowest / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** A value of a metric in a few digits. */
export function toFigure(value: number | null): string {
  if (value === null) return 'not a number';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(1);
  return short(value);
}
