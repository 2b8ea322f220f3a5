/** A share as `91.4%`; more digits where it would otherwise read as 0% or 100%, at most `>99.9999%`. */
export function percent(share: number, digits = 1): string {
  const shown = (share * 100).toFixed(digits);
  if (share > 0 && share < 1 && Number(shown) % 100 === 0) {
    if (digits < 4) return percent(share, digits + 1);
    return share < 0.5 ? '<0.0001%' : '>99.9999%';
  }
  return `${shown}%`;
}

/** A count in groups of three: `1,234,567`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** US dollars; small sums keep two significant digits. */
export function dollars(usd: number | null): string {
  if (usd === null) return 'price not known';
  if (usd === 0) return '$0.00';
  if (usd < 0.000_001) return '<$0.000001';
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

/** Seconds as `42 s`, `20 min`, `3 min 20 s`, `2 h 05 min`, `3 days 4 h`. */
export function duration(seconds: number | null): string {
  if (seconds === null) return 'not known';
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? '' : ` ${whole % 60} s`}`;
  const hours = Math.floor(whole / 3600);
  if (hours >= 48) return `${Math.floor(hours / 24)} days${hours % 24 === 0 ? '' : ` ${hours % 24} h`}`;
  return `${hours} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}

/** `1 input`, `2,000 inputs`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A change of a share in percentage points: `+0.4`, `−12.3`, `±0.0`; more digits where a change would read as none. */
export function signedPercent(change: number): string {
  if (change === 0) return '±0.0';
  return `${change < 0 ? '−' : '+'}${percent(Math.abs(change)).slice(0, -1)}`;
}

/** `p = 0.031`; values below 0.0001 are shown as `p < 0.0001`. */
export function pText(pValue: number): string {
  return pValue < 0.0001 ? 'p < 0.0001' : `p = ${Number(pValue.toPrecision(2))}`;
}

/** A value in at most so many significant digits. */
export function short(value: number, digits = 4): string {
  return String(Number(value.toPrecision(digits)));
}

/** A figure without a unit, with so many decimals: `0.9137`. */
export function decimal(value: number, decimals: number): string {
  return value.toFixed(decimals);
}

/** A place in a drawing, or a share of its width in per cent, to a tenth. */
export function coordinate(value: number): string {
  return value.toFixed(1);
}

/** Words next to a price on the stack of this machine. */
export const NOTHING_BILLED = 'nothing is billed here';

/** The price of work on the stack of this machine, which nobody pays. */
export function unbilled(usd: number | null): string {
  const price = usd === null ? 'has no known price on AWS' : `would cost ${dollars(usd)} on AWS`;
  return `${price}; ${NOTHING_BILLED}`;
}
