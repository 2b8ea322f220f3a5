import { familyOf } from '../../model/instance-families.ts';
import { toHostingOptions } from '../hosting-options.ts';
import type { EndpointKind } from '../kind.ts';

/** Endpoints of instances, which run until they are deleted. */
export const instanceKind: EndpointKind<'instance'> = {
  words: 'runs on instances',
  isPaidByUse: false,
  toHardware(settings) {
    const { instanceType, initialInstanceCount, acceleratorType } = settings;
    return {
      kind: 'instance',
      instanceType,
      initialInstanceCount,
      acceleratorType,
      ...toHostingOptions(settings),
    };
  },
  // Some families have disks of their own.
  hasVolumes: ({ instanceType }) => !familyOf(instanceType).disks,
  withInstances: (hardware, initialInstanceCount) => ({ ...hardware, initialInstanceCount }),
  describe: ({ initialInstanceCount, instanceType, acceleratorType }) =>
    `${initialInstanceCount} × ${instanceType}${acceleratorType === null ? '' : ` with ${acceleratorType}`}`,
};

/** Most instances that an endpoint needs: while it is updated, its new fleet runs next to the one that serves. */
export function instancesWhileUpdated({
  initialInstanceCount,
  autoscaling,
}: {
  readonly initialInstanceCount: number;
  readonly autoscaling: { readonly maxInstances: number } | null;
}): number {
  return 2 * Math.max(initialInstanceCount, autoscaling?.maxInstances ?? 0);
}
