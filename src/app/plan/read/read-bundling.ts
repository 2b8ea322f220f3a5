import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { bundleOfMany, engineAsked } from '../../../plan/engine/engine-asked.ts';
import { enginesFor } from '../../../plan/engine/engine-config.ts';
import { bundleWay, toBundling } from '../../../plan/engine/first-bundle.ts';
import type { Asked, FoundModel } from '../../../plan/found.ts';
import { BUNDLE_TYPES } from '../../../transform/request-limits.ts';
import { bundleFactJson, unbundledJson } from '../../records/bundle-facts.ts';
import { readModel } from './read-model.ts';

/**
 * Reads what is known about bundles to the archive of a run, before its inputs are opened: they are opened in another
 * way if none are sent. The model is read for that, unless no bundle would be sent.
 */
export async function readBundling(
  before: Asked,
  store: ObjectStore,
  now: Date,
): Promise<{ readonly asked: Asked; readonly model: FoundModel | undefined }> {
  const { run, original, configuration, settings } = before;
  const { config } = configuration;
  if (original !== null) return { asked: before, model: undefined };
  const again = (await unbundledJson(run).read(store)) ?? null;
  // The attempts of the plan before are there, whatever pipeline.json says by now.
  const asked = { ...before, firstAttempt: again?.attempt ?? 1 };
  const form = bundleOfMany(asked, 'sagemaker')?.form;
  const isSent = form !== undefined && BUNDLE_TYPES[form] !== undefined;
  if (!isSent || !enginesFor(config).includes('sagemaker')) return { asked, model: undefined };
  const model = await readModel(store, run, { config, readBuckets: settings.readBuckets });
  const { imageUri } = engineAsked(asked, 'sagemaker', { work: null }).configuration;
  const { archive } = model;
  if (imageUri === undefined || archive === undefined || 'reason' in archive) return { asked, model };
  const way = bundleWay({ form, imageUri, config });
  const fact = await bundleFactJson(archive.sha256, way).read(store);
  return { asked: { ...asked, bundling: toBundling(archive, way, { fact, again }, now) }, model };
}
