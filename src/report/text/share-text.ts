import { decimal } from '../../text/figures.ts';

/** A share as a number of per cent that fits a cell: `92`, `0.4`, `99.6`; empty for 0. */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent === 0) return '';
  if (percent < 0.05) return '<0.1';
  if (percent < 0.95 || (percent > 99.5 && percent < 100))
    return percent >= 99.95 ? '>99.9' : decimal(percent, 1);
  return decimal(percent, 0);
}
