import type { Plan } from './plan.ts';

/** The archive that an endpoint of a run serves: without the handler that opens bundles, where its jobs had one. */
export function servedArchive<M extends Pick<Plan['model'], 'sha256' | 'served'>>(
  model: M,
): M | NonNullable<M['served']> {
  return model.served ?? model;
}
