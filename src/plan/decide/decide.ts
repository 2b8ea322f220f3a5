import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { SECONDS_PER_OBJECT } from '../../price/quote.ts';
import type { Problem } from '../../problem/problem.ts';
import { dollars, duration } from '../../text/figures.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { EngineName } from '../../transform/engine-settings.ts';
import type { Found } from '../found.ts';
import type { Verdict } from '../judge/judge.ts';

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

/** The third of the four values of planning: what was found, the engine that's taken, and why. */
export interface Decided {
  readonly found: Found;
  readonly verdict: Verdict & { readonly configuration: { readonly imageUri: string } };
  /** Why this engine, if the run could choose; in sentences. */
  readonly notes: readonly string[];
}

/** The decision about a run: a plan can be written, its tars must be unpacked first, or it's refused. */
export type Decision =
  | (Decided & { readonly status: 'decided' })
  | { readonly status: 'unpack'; readonly verdict: Verdict }
  | { readonly status: 'refused'; readonly problems: readonly Problem[] };

/** Chooses among the verdicts on a run. */
export function decide(found: Found, verdicts: readonly [Verdict, ...Verdict[]]): Decision {
  const { verdict, notes } = choose(found, verdicts);
  const { problems, configuration, sending } = verdict;
  const { imageUri } = configuration;
  if (problems.length > 0 || imageUri === undefined) return { status: 'refused', problems };
  // Only bundles read members from their tars.
  if (found.opened.work !== null && found.opened.unpacked === null && sending.bundle === null)
    return { status: 'unpack', verdict };
  return {
    status: 'decided',
    found,
    verdict: { ...verdict, configuration: { ...configuration, imageUri } },
    notes,
  };
}

function choose(
  found: Found,
  [first, ...others]: readonly [Verdict, ...Verdict[]],
): { readonly verdict: Verdict; readonly notes: readonly string[] } {
  if (others.length === 0) return { verdict: first, notes: [] };
  const verdicts = [first, ...others];
  const { name, note } = chooseEngine(
    verdicts.map((verdict) => offerOf(verdict, found)),
    found.configuration.config.limits,
  );
  return { verdict: verdicts.find((verdict) => verdict.name === name) ?? first, notes: [note] };
}

/** Time and cost of a run on the engine of a verdict. */
function offerOf({ name, planning, configuration, sending, inputs, problems }: Verdict, found: Found): Offer {
  const { count: objects, bytes, largest } = inputs.profile.sent;
  const { config, speeds, resolvedPrices } = configuration;
  const { settings: engine } = planning.jobSettings(config, largest, speeds, sending.bundle);
  const work = { objects, bytes };
  const seconds = planning.quoteSeconds(work, engine);
  return {
    name,
    problems: [...problems, ...(engineRules({ name }).startsContainer ? [] : refusedModel(found))],
    seconds,
    isMeasured: engine.measured !== undefined,
    usd: planning.quoteUsd(resolvedPrices, [{ ...work, engine, quotedSeconds: seconds }]),
  };
}

/** The problem that PrepareModel has found in a model that was planned for functions. */
function refusedModel({ refusal, model: { archive } }: Found): Problem[] {
  const sha256 = archive === undefined || 'reason' in archive ? undefined : archive.sha256;
  if (refusal === undefined || refusal.sha256 !== sha256) return [];
  return [{ file: refusal.artifact, field: '', value: '', message: refusal.reason }];
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
