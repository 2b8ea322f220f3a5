import { essenceOf, isImageType } from '../../api/media-type.ts';
import { engineOf } from '../../plan/engine-of.ts';
import type { JudgedConfiguration } from '../../plan/judge-configuration.ts';
import { eachOnce } from '../../plan/judge-findings.ts';
import { listInputs, type ReadTars } from '../inputs/list-inputs.ts';
import type { AskedRun, PlanServices } from './judge-run.ts';
import { refusePlan } from './refuse-plan.ts';

/** Tars that state `IndexTars` has still to open. */
export interface UnreadTars {
  readonly unread: number;
}

/**
 * Has a run take the members of the tars in its drop for inputs; null where it has no tars, or the model is sent them as they are. A
 * wrong setting is refused before they are opened, which costs a write for each member where jobs read single objects.
 *
 * @param unpacks whether jobs read single objects
 */
export async function openTars(
  { run, frozen, written }: Pick<AskedRun, 'run' | 'frozen' | 'written'>,
  { config, further }: JudgedConfiguration,
  { store }: Pick<PlanServices, 'store'>,
  unpacks: boolean,
): Promise<ReadTars | UnreadTars | null> {
  const contentType = essenceOf(config.transform.contentType);
  if (frozen.tars === 0 || contentType === 'application/x-tar') return null;
  const problems = eachOnce([...written, ...further]);
  if (problems.length > 0) return refusePlan(store, run, problems);
  const { truth } = config.labels;
  return listInputs(store, run, {
    settings: {
      bucket: frozen.sourceBucket,
      prefix: frozen.sourcePrefix,
      largestBytes: engineOf(config).largestAllowedBytes(config),
      unpacks,
      images: isImageType(contentType),
      labels: truth?.from === 'member' ? { extension: truth.extension, path: truth.path } : null,
    },
    maxCostUsd: config.limits.maxCostUsd,
  });
}
