import type { PlannedModel } from '../planned-model.ts';

/** The archive that an endpoint of a run serves: without the handler that opens bundles, where its jobs had one. */
export function servedArchive<M extends Pick<PlannedModel, 'sha256' | 'served'>>(
  model: M,
): M | NonNullable<M['served']> {
  return model.served ?? model;
}

/** The archive of a run as a person uploaded it, by whose digest they know it. */
export function givenArchive<M extends Pick<PlannedModel, 'sha256' | 'served' | 'given'>>(
  model: M,
): M | NonNullable<M['served']> | NonNullable<M['given']> {
  return model.given ?? servedArchive(model);
}
