import { firstOf } from '../../drop/frozen.ts';
import { Condition } from '../../problem/conditions.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { hasManifest } from '../records/manifest.ts';
import { type Repeated, repeatManifest, type RepeatServices } from './repeat-manifest.ts';

/**
 * Repeats a run on the same manifest with a fresh plan: pipeline.json and job.json are read again.
 *
 * @throws `NothingToRerun` if the run took no files in, or its files have expired
 */
export async function rerun(
  { run: original }: { readonly run: RunParts },
  services: RepeatServices,
): Promise<Repeated> {
  const name = toRunId(original);
  const frozen = await frozenJson(original).read(services.store);
  if (frozen === undefined) throw nothingToRerun(name, 'it has not frozen');
  if (frozen.objects === 0) throw nothingToRerun(name, `it is ${frozen.status} with no objects`);
  if (!(await hasManifest(services.store, frozen)))
    throw nothingToRerun(name, 'its files have expired (stack parameter RunsRetentionDays)');
  const origin = { mode: 'rerun', of: firstOf(frozen.origin, name) } as const;
  return repeatManifest(original, { ...frozen, origin }, services);
}

function nothingToRerun(name: string, why: string): Error {
  const message = `run ${name} must have a manifest to be repeated, but ${why}: drop the files again`;
  return new Condition('NothingToRerun', message);
}
