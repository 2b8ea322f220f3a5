import { isDeepStrictEqual } from 'node:util';
import type { EndpointHardware } from '../endpoints/kind.ts';
import { withInstances } from '../endpoints/kinds.ts';

/** Bounds within which autoscaling sets the number of instances; null if the configuration sets it. */
type Bounds = { readonly maxInstances: number } | null;

/**
 * Number of instances that a new configuration must begin with: an update sets the number of its configuration at the moment when all
 * traffic moves, so the configuration must include the instances that autoscaling has added.
 */
export function startingInstances({
  configured,
  inService,
  autoscaling,
}: {
  readonly configured: number;
  readonly inService: number;
  readonly autoscaling: Bounds;
}): number {
  return autoscaling === null
    ? configured
    : Math.max(configured, Math.min(inService, autoscaling.maxInstances));
}

/** Instances in service, of all variants. */
export function instancesOf({
  variants,
}: {
  readonly variants: readonly { readonly instances: number }[];
}): number {
  return variants.reduce((sum, { instances }) => sum + instances, 0);
}

/** The variant that a configuration runs: its model by name, and its hardware. */
export interface ConfiguredVariant {
  readonly modelName: string;
  readonly hardware: EndpointHardware;
  readonly kmsKeyArn: string | null;
}

/** Whether two configurations differ in nothing, or only in the number of instances. */
export function isSameButForInstances(one: ConfiguredVariant, other: ConfiguredVariant): boolean {
  const apart = ({ modelName, hardware, kmsKeyArn }: ConfiguredVariant) => ({
    modelName,
    hardware: withInstances(hardware, 1),
    kmsKeyArn,
  });
  return isDeepStrictEqual(apart(one), apart(other));
}
