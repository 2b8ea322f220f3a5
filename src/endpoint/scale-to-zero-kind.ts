import { familyOf } from '../model/instance-families.ts';
import type { EndpointKind } from './hardware.ts';

/** Endpoints whose instances go while nobody asks: their models are inference components, which are scaled to no copy. */
export const scaleToZeroKind: EndpointKind<'scaleToZero'> = {
  words: 'scales to zero',
  isPaidByUse: true,
  toHardware({ instanceType, initialInstanceCount, ...optional }) {
    const { amiVersion, containerStartupTimeoutInSeconds, modelDownloadTimeoutInSeconds, volumeSizeInGB } =
      optional;
    return {
      kind: 'scaleToZero',
      instanceType,
      maxCopies: initialInstanceCount,
      ...(amiVersion !== null && { amiVersion }),
      ...(containerStartupTimeoutInSeconds !== null && { containerStartupTimeoutInSeconds }),
      ...(modelDownloadTimeoutInSeconds !== null && { modelDownloadTimeoutInSeconds }),
      ...(volumeSizeInGB !== null && { volumeSizeInGB }),
    };
  },
  hasVolumes: ({ instanceType }) => !familyOf(instanceType).disks,
  withInstances: (hardware) => hardware,
  describe: ({ maxCopies, instanceType }) => `scales to zero, at most ${maxCopies} × ${instanceType}`,
};
