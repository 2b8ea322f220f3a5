import { familyOf } from '../../model/instance-families.ts';
import type { EndpointKind, HardwareSettings, HostingOptions } from '../kind.ts';

/** Endpoints of instances, which run until they are deleted. */
export const instanceKind: EndpointKind<'instance'> = {
  liveCheck: 'stack-endpoint',
  words: 'runs on instances',
  isPaidByUse: false,
  runsInFunctions: false,
  hostsComponents: false,
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
  fleet: (hardware) => hardware,
  instancesWhileUpdated: ({ initialInstanceCount, autoscaling }) =>
    2 * Math.max(initialInstanceCount, autoscaling?.maxInstances ?? 0),
  toHosted: ({ kind: _, ...variant }) => variant,
  ofHosted: ({ serverless, managedInstances, ...variant }) => {
    const { instanceType, initialInstanceCount = 0, acceleratorType = null } = variant;
    return serverless !== undefined || managedInstances !== undefined || instanceType === undefined
      ? null
      : { ...variant, kind: 'instance', instanceType, initialInstanceCount, acceleratorType };
  },
  describe: ({ initialInstanceCount, instanceType, acceleratorType }) =>
    `${initialInstanceCount} × ${instanceType}${acceleratorType === null ? '' : ` with ${acceleratorType}`}`,
};

/** The settings of hosting instances that a plan has. */
export function toHostingOptions(settings: HardwareSettings): HostingOptions {
  const { amiVersion, containerStartupTimeoutInSeconds, modelDownloadTimeoutInSeconds, volumeSizeInGB } =
    settings;
  return {
    ...(amiVersion !== null && { amiVersion }),
    ...(containerStartupTimeoutInSeconds !== null && { containerStartupTimeoutInSeconds }),
    ...(modelDownloadTimeoutInSeconds !== null && { modelDownloadTimeoutInSeconds }),
    ...(volumeSizeInGB !== null && { volumeSizeInGB }),
  };
}
