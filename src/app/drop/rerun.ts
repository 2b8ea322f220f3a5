import { readFrozen } from './frozen-manifest.ts';
import type { RepeatServices } from './repeat-manifest.ts';
import { repeatManifest } from './repeat-manifest.ts';
import { requireRun } from '../run/require-run.ts';

/**
 * Repeats a run on the same manifest with a fresh plan: pipeline.json and job.json are read again.
 *
 * @throws `NothingToRerun` if the run took no files in
 */
export async function rerun(
  { run: name }: { readonly run: string },
  services: RepeatServices,
): Promise<{ run: string }> {
  const original = requireRun(name);
  const frozen = await readFrozen(services.store, original);
  if (frozen === undefined || frozen.objects === 0) {
    const why = frozen === undefined ? 'it has not frozen' : `it is ${frozen.status} with no objects`;
    throw Object.assign(
      new Error(`run ${name} must have a manifest to be repeated, but ${why}: drop the files again`),
      {
        name: 'NothingToRerun',
      },
    );
  }
  const { replayOf: _replayOf, ...manifest } = frozen;
  return repeatManifest(original, { ...manifest, rerunOf: frozen.rerunOf ?? name }, services);
}
