import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { PlanSettings } from '../../run/stack-settings.ts';

/** Services and settings of the planning; the role of `settings` is the one that the model runs under. */
export interface PlanServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  readonly settings: PlanSettings;
}
