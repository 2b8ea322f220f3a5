import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { SECONDS_PER_OBJECT } from '../../price/quote.ts';
import type { Problem } from '../../problem/problem.ts';
import { dollars, duration } from '../../text/figures.ts';
import type { EngineName } from '../../transform/engine-settings.ts';

/** Time and cost of a run on an engine, or why it cannot carry the run out. */
export interface Offer {
  readonly name: EngineName;
  readonly problems: readonly Problem[];
  readonly seconds: number;
  /** US dollars; null if a price is not known. */
  readonly usd: number | null;
  /** Whether the time of an input was measured, and not assumed. */
  readonly isMeasured: boolean;
}

/**
 * The chosen engine: the cheapest one that finishes within `limits.maxRuntimeMinutes`, or the faster one if none does; `sagemaker`
 * if the other can't run the model. `note` says why.
 */
export function chooseEngine(
  offers: readonly Offer[],
  { maxRuntimeMinutes }: PipelineConfig['limits'],
): { readonly name: EngineName; readonly note: string } {
  const able = offers.filter(({ problems }) => problems.length === 0);
  const [only] = able;
  if (only === undefined || able.length < offers.length) {
    const name = only?.name ?? 'sagemaker';
    const other = offers.find((offer) => offer.name !== name);
    const [problem] = other?.problems ?? [];
    const place = problem?.field === '' ? problem.file : problem?.field;
    return {
      name,
      note:
        `transform.engine is auto: ${name} is taken, since ${other?.name} cannot run this: ${place} ` +
        `${problem?.reason ?? problem?.message}`,
    };
  }
  const inTime = able.filter(({ seconds }) => seconds <= maxRuntimeMinutes * 60);
  const cost = ({ usd }: Offer): number => usd ?? Infinity;
  const best =
    inTime.length > 0
      ? inTime.reduce((a, b) => (cost(b) < cost(a) ? b : a))
      : able.reduce((a, b) => (b.seconds < a.seconds ? b : a));
  const quotes = able.map(
    ({ name, usd, seconds }) => `${name} is quoted at ${dollars(usd)} and ${duration(seconds)}`,
  );
  const assumed = able.filter(({ isMeasured }) => !isMeasured).map((offer) => offer.name);
  const advice =
    assumed.length > 0
      ? `; for ${assumed.join(' and ')} ${SECONDS_PER_OBJECT} s an input are assumed, which inferdrop probe measures`
      : '';
  const why =
    inTime.length === able.length
      ? 'which is cheaper'
      : inTime.length === 0
        ? `which is faster: none finishes within limits.maxRuntimeMinutes ${maxRuntimeMinutes}`
        : `the only one that finishes within limits.maxRuntimeMinutes ${maxRuntimeMinutes}`;
  return {
    name: best.name,
    note: `transform.engine is auto: ${quotes.join(', ')}; ${best.name} is taken, ${why}${advice}`,
  };
}
