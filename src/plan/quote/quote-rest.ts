import type { Frozen } from '../../drop/frozen.ts';
import { inputsOfLine } from '../../transform/bundle-cutter.ts';
import { splitJobs } from '../../transform/split-jobs.ts';
import type { EngineConfig } from '../engine/engine-config.ts';
import { planningOf } from '../engine/engine-of.ts';
import type { JudgedConfiguration } from '../judge/judge-configuration.ts';
import type { DrawnRounds, DrawnSample, Plan } from '../plan.ts';
import type { ResolvedPrices } from './resolve-cost.ts';

/** Quote in US dollars of the inputs of a drop that were not drawn, as if they were of equal size; null if the price isn't known. */
export function quoteRest(
  { config, resolvedPrices, speeds }: Pick<JudgedConfiguration, 'config' | 'resolvedPrices' | 'speeds'>,
  {
    sample,
    frozen,
    sampleBytes,
    bundle = null,
  }: {
    readonly sample: DrawnSample;
    readonly frozen: Pick<Frozen, 'bytes' | 'largestObjectBytes'>;
    readonly sampleBytes: number;
    readonly bundle?: Plan['bundle'];
  },
): number | null {
  const engine = planningOf(config.transform.engine);
  const objects = sample.of - sample.inputs;
  const bytes = Math.max(0, frozen.bytes - sampleBytes);
  const largest = Math.min(frozen.largestObjectBytes, engine.largestAllowedBytes(config, bundle) ?? Infinity);
  const { settings } = engine.jobSettings(config, largest, speeds, bundle);
  const each = inputsOfLine(bundle, bytes / Math.max(1, objects));
  const jobs = splitJobs(objects, engine.objectsOfJob({ objects, bytes }, settings), each).map((part) => {
    const work = { objects: part, bytes: (bytes * part) / objects };
    return { ...work, engine: settings, quotedSeconds: engine.quoteSeconds(work, settings) };
  });
  return engine.quoteUsd(resolvedPrices, jobs);
}

/** Most that a run may be quoted at that is decided early, in US dollars: if it took all inputs, in rounds of the smallest size. */
export function quoteRounds(
  config: EngineConfig,
  prices: ResolvedPrices,
  {
    rounds: { of, first, engine: settings },
    frozen,
  }: { readonly rounds: DrawnRounds; readonly frozen: Pick<Frozen, 'bytes'> },
): number | null {
  const engine = planningOf(config.transform.engine);
  const round = { objects: first, bytes: (frozen.bytes * first) / of };
  const rounds = Math.ceil(of / first);
  const quotedSeconds = rounds * engine.quoteSeconds(round, settings);
  const all = { objects: rounds * round.objects, bytes: rounds * round.bytes };
  return engine.quoteUsd(prices, [{ ...all, engine: settings, quotedSeconds }]);
}
