import { familyOf } from '../model/instance-families.ts';
import type { EndpointKind } from './hardware.ts';

/** Endpoints of instances, which run until they are deleted. */
export const instanceKind: EndpointKind<'instance'> = {
  words: 'runs on instances',
  isPaidByUse: false,
  toHardware({ instanceType, initialInstanceCount, acceleratorType, ...optional }) {
    const { amiVersion, containerStartupTimeoutInSeconds, modelDownloadTimeoutInSeconds, volumeSizeInGB } =
      optional;
    return {
      kind: 'instance',
      instanceType,
      initialInstanceCount,
      acceleratorType,
      ...(amiVersion !== null && { amiVersion }),
      ...(containerStartupTimeoutInSeconds !== null && { containerStartupTimeoutInSeconds }),
      ...(modelDownloadTimeoutInSeconds !== null && { modelDownloadTimeoutInSeconds }),
      ...(volumeSizeInGB !== null && { volumeSizeInGB }),
    };
  },
  // Some families have disks of their own.
  hasVolumes: ({ instanceType }) => !familyOf(instanceType).disks,
  withInstances: (hardware, initialInstanceCount) => ({ ...hardware, initialInstanceCount }),
  describe: ({ initialInstanceCount, instanceType, acceleratorType }) =>
    `${initialInstanceCount} × ${instanceType}${acceleratorType === null ? '' : ` with ${acceleratorType}`}`,
};
