import type { Hosting } from './hosting.ts';
import { componentHosting } from './scale-to-zero/component-hosting.ts';
import { variantHosting } from './variant-hosting.ts';

/** The ways in which endpoints host models, for the functions that undo changes; use cases are handed them. */
export const HOSTINGS: readonly Hosting[] = [variantHosting, componentHosting];
