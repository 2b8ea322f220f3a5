import type { HardwareSettings, HostingOptions } from './kind.ts';

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
