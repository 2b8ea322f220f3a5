import { hash } from 'node:crypto';
import * as z from 'zod';
import { bundleFiles } from '../../frameworks/bundle-files.ts';
import type { ModelArchive } from '../../model/read-archive.ts';
import { INFERENCE_SCRIPT } from '../../model/script-names.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { RunId } from '../../run/run-id.ts';
import { DAY_MS } from '../../text/milliseconds.ts';
import type { BundleForm } from '../../transform/request-limits.ts';

/** Finding of a run about its archive, by its first bundle, for later runs. */
export const BundleFact = z.object({
  schema: z.literal(1),
  /** Why the archive doesn't answer bundles, though it answers their inputs without; null if it does. */
  refused: z.string().nullable(),
  /** The run that found out. */
  run: RunId,
  /** UTC, ISO 8601. */
  at: z.iso.datetime(),
});
export type BundleFact = z.infer<typeof BundleFact>;

/** Knowledge about bundles before a run sends any. */
export interface Bundling {
  /** Digests of the archive as it was given, and of the way its inputs are sent. */
  readonly archive: string;
  readonly way: string;
  /** Whether the archive answers them, or a sentence on why none are sent. If it isn't known, the run's first bundle shows it. */
  readonly answers: 'yes' | 'unknown' | { readonly why: string };
  /** Set if this run has found out, and is planned again. */
  readonly again: { readonly attempt: number; readonly why: string } | null;
}

/** An archive that doesn't answer bundles is tried again after this time: one broken input may have cost a bundle its answer. */
const REFUSED_DAYS = 30;

/** Digest of all that decides whether an archive answers bundles, besides the archive itself. */
export function bundleWay({
  form,
  imageUri,
  config: { model, transform },
}: {
  readonly form: BundleForm;
  readonly imageUri: string;
  readonly config: Pick<PipelineConfig, 'model' | 'transform'>;
}): string {
  const { contentType, accept } = transform;
  const environment = Object.entries(model.environment).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const handler = bundleFiles(model.framework, undefined).map(({ body }) => hash('sha256', body));
  return hash('sha256', JSON.stringify([form, imageUri, contentType, accept, environment, handler]));
}

/** Reads what a run knows: by its archive, by its own first bundle, and by a fact that an earlier run has left. */
export function toBundling(
  { sha256, files, scripts }: Pick<ModelArchive, 'sha256' | 'files' | 'scripts'>,
  way: string,
  { fact, again }: { readonly fact: BundleFact | undefined; readonly again: Bundling['again'] },
  now: Date,
): Bundling {
  const place = { archive: sha256, way };
  if (files.includes(INFERENCE_SCRIPT) && !scripts.has(INFERENCE_SCRIPT)) {
    const why = `${INFERENCE_SCRIPT} is too long to be read, so no handler for bundles can be put next to it`;
    return { ...place, again: null, answers: { why } };
  }
  if (again !== null) {
    const why = `the first bundle has no usable answer (${again.why})`;
    return { ...place, again, answers: { why } };
  }
  if (fact === undefined) return { ...place, again, answers: 'unknown' };
  if (fact.refused === null) return { ...place, again, answers: 'yes' };
  if (now.getTime() - Date.parse(fact.at) > REFUSED_DAYS * DAY_MS)
    return { ...place, again, answers: 'unknown' };
  const why = `the archive doesn't answer bundles, as ${fact.run} found (${fact.refused})`;
  return { ...place, again, answers: { why } };
}
