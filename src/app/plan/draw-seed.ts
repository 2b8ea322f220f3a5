import { hash } from 'node:crypto';
import type { Frozen } from '../../drop/frozen.ts';
import { formatGeneration, parseGeneration } from '../../run/generation.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';

/**
 * Seed of the lottery of a manifest, of the generation without its repetition and its slices. Their names are drawn when the drop is frozen,
 * so that an uploader cannot choose names of files that will be drawn; all runs of the manifest have the same.
 */
export function seedOf(run: RunParts, { manifestSlices }: Pick<Frozen, 'manifestSlices'>): string {
  const number = parseGeneration(run.generation)?.number ?? Number.NaN;
  const generation = toRunId({ ...run, generation: formatGeneration(number) });
  return hash('sha256', [generation, ...manifestSlices.map(({ object }) => object)].join('\n'));
}
