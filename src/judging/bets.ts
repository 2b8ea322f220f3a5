import type { Interval } from '../metric/wilson-interval.ts';

/**
 * Sizes of the bets, as parts of the largest that can never lose all; their average bets well whether the truth is near the asked
 * mean or far from it.
 */
const BETS: readonly number[] = Array.from({ length: 24 }, (_, step) => 0.9 * 1.35 ** -step);
/** Tolerance for the rounding of the remaining mean, which must not decide. */
const ROUNDING = 1e-9;

/** Values that were drawn together, as counts of each value. */
export type DrawnValues = readonly (readonly [value: number, times: number])[];

/** Whether the mean of values between `low` and `high` is above or below `mean`. */
export interface MeanQuestion {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Number of values that are drawn from, without replacement. */
  readonly total: number;
}

/** Logarithms of the winnings from betting against "the mean is at most this" and against "the mean is at least this". */
export interface Evidence {
  readonly above: number;
  readonly below: number;
}

/**
 * Bets on the drawn values, batch by batch (Waudby-Smith, Ramdas 2024, Estimating means of bounded random variables by betting, JRSS B
 * 86:1). The remaining values have the mean (total · mean − sum) / (total − drawn), which makes the bets valid without replacement. Draws
 * of a batch are negatively associated (Joag-Dev, Proschan 1983), so that their order does not matter; small batches win more.
 */
class Bets {
  readonly #question: MeanQuestion;
  readonly #above = BETS.map(() => 0);
  readonly #below = BETS.map(() => 0);
  #drawn = 0;
  #sum = 0;

  constructor(question: MeanQuestion) {
    this.#question = question;
  }

  add(batch: DrawnValues): void {
    const values = batch.filter(([, times]) => times > 0);
    if (values.length === 0) return;
    const { mean, low, high, total } = this.#question;
    const left = (total * mean - this.#sum) / (total - this.#drawn);
    placeBets(this.#above, values, { left, room: left - low, sign: 1 });
    placeBets(this.#below, values, { left, room: high - left, sign: -1 });
    for (const [value, times] of values) {
      this.#drawn += times;
      this.#sum += value * times;
    }
  }

  get evidence(): Evidence {
    return { above: logMean(this.#above), below: logMean(this.#below) };
  }
}

/** The evidence after some batches. */
export function evidenceOf(question: MeanQuestion, batches: Iterable<DrawnValues>): Evidence {
  const bets = new Bets(question);
  for (const batch of batches) bets.add(batch);
  return bets.evidence;
}

function placeBets(
  capital: number[],
  values: DrawnValues,
  { left, room, sign }: { readonly left: number; readonly room: number; readonly sign: 1 | -1 },
): void {
  if (room <= ROUNDING) {
    // The remaining values could only be the least value: any other refutes the mean.
    const isRefuted = room < -ROUNDING || values.some(([value]) => sign * (value - left) > ROUNDING);
    if (isRefuted) capital.fill(Infinity);
    return;
  }
  for (const [at, bet] of BETS.entries())
    for (const [value, times] of values)
      capital[at] = (capital[at] ?? 0) + times * Math.log1p((sign * bet * (value - left)) / room);
}

/** Logarithm of the mean of numbers that are given by their logarithms. */
function logMean(logs: readonly number[]): number {
  const top = Math.max(...logs);
  if (top === Infinity) return top;
  return top + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - top), 0) / logs.length);
}

/**
 * Whether evidence suffices for a claim. It may be asked after every batch: the claim is wrong with a probability of at
 * most `alpha`, no matter how often it's asked (Ville 1939).
 */
export function suffices(evidence: number, alpha: number): boolean {
  return evidence >= -Math.log(alpha);
}

/**
 * All means that are not refuted: the same test inverted, so that it never contradicts the verdict.
 *
 * @param ask returns the evidence about one mean
 * @param alpha probability that the lower limit is above the mean, and that the upper one is below it
 */
export function meanBounds(
  ask: (mean: number) => Evidence,
  { low, high }: Pick<MeanQuestion, 'low' | 'high'>,
  alpha: Interval,
): Interval {
  return {
    low: edge(low, high, (mean) => suffices(ask(mean).above, alpha.low)),
    high: edge(high, low, (mean) => suffices(ask(mean).below, alpha.high)),
  };
}

/** Halvings of the range of means, down to 1e-12 of it. */
const HALVINGS = 40;

/** The end of the refuted means that begin at `from`. */
function edge(from: number, to: number, isRefuted: (mean: number) => boolean): number {
  let [out, kept] = [from, to];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (out + kept) / 2;
    if (isRefuted(middle)) out = middle;
    else kept = middle;
  }
  return out;
}
