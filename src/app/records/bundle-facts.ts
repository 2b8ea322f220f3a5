import * as z from 'zod';
import { BundleFact } from '../../plan/engine/first-bundle.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Whether an archive answers bundles. Only ReconcileOutputs writes it, about the archive behind the answers it has just read. */
export const bundleFactJson = jsonDocument({
  key: bucketLayout.bundleFact,
  schema: BundleFact,
  write: 'replace',
});

/** Written by ReconcileOutputs if a run's first bundle has no usable answer, so that PlanRun plans the run again without bundles. */
export const unbundledJson = jsonDocument({
  key: bucketLayout.unbundled,
  schema: z.object({
    schema: z.literal(1),
    /** The first attempt of the plan without bundles. */
    attempt: z.int().min(2),
    why: z.string(),
  }),
  write: 'replace',
});
