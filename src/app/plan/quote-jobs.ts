import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { engineOf } from '../../plan/engine-of.ts';
import type { RunParts } from '../../run/run-id.ts';
import { runInputs, type Sources } from './gather-findings.ts';
import { planJobs } from './plan-jobs.ts';
import type { InputProfile } from './profile-inputs.ts';

/** Cuts the inputs that are to be sent into jobs. Returns them with their quote in US dollars, null where a price is unknown. */
export async function quoteJobs(store: ObjectStore, run: RunParts, sources: Sources, profile: InputProfile) {
  const { config, speeds, resolvedPrices } = sources.configuration;
  const inputs = runInputs(store, run, sources);
  const jobs = await planJobs(store, run, {
    config,
    speeds,
    ...sources,
    bundle: sources.sending.bundle,
    inputs,
    profile,
  });
  return { jobs, quoteUsd: engineOf(config).quoteUsd(resolvedPrices, jobs.planned) };
}
