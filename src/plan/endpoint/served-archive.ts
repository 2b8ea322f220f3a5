import type { PlannedModel } from '../planned-model.ts';

/** The archive that an endpoint of a run serves: without the handler that opens bundles, if its jobs had one. */
export function servedArchive<M extends Pick<PlannedModel, 'sha256' | 'served'>>(
  model: M,
): M | NonNullable<M['served']> {
  return model.served ?? model;
}

/** The archive of a run as a person uploaded it. They know it by its digest. */
export function givenArchive<M extends Pick<PlannedModel, 'sha256' | 'served' | 'given'>>(
  model: M,
): M | NonNullable<M['served']> | NonNullable<M['given']> {
  return model.given ?? servedArchive(model);
}
