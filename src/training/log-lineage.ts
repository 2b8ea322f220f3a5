import type { TrainingMetrics } from './training-metrics.ts';

type Lineage = Pick<TrainingMetrics, 'runtime' | 'packages'>;

/** Cap on the packages that are kept; an image of AWS has some hundred. */
const MAX_PACKAGES = 1_000;
const RUNTIME = /^(?:\[sagemaker logs\]: )?training runtime: (.{1,200})$/;
const PACKAGES = /^training packages: (.+)$/;
/** The line that pip writes about requirements.txt, also in AWS's images. */
const INSTALLED = /^Successfully installed (.+)$/;

/**
 * Reads from the lines of a training's log which runtime and packages really ran; the first line of a kind counts, since the script's lines
 * come after the container's.
 */
export function logLineage(): { add(text: string): void; lineage(): Lineage } {
  let runtime: string | undefined;
  let packages: string | undefined;
  let installed: string | undefined;
  return {
    add(text) {
      runtime ??= RUNTIME.exec(text)?.[1];
      packages ??= PACKAGES.exec(text)?.[1];
      installed ??= INSTALLED.exec(text)?.[1];
    },
    lineage: () => ({
      runtime: runtime ?? null,
      packages: (packages ?? installed ?? '').split(' ').filter(Boolean).slice(0, MAX_PACKAGES),
    }),
  };
}
