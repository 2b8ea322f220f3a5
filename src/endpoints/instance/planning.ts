import { familyOf } from '../../model/instance-families.ts';
import { quotaName } from '../../model/quota-name.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { dollars } from '../../text/figures.ts';
import { said } from '../../text/said.ts';
import { bakeNotes, refuseGuardrails, refuseLateAlarms } from '../guardrails.ts';
import type { EndpointPlanning, RefuseField } from '../planning.ts';
import { instanceKind } from './rules.ts';

/** Size from which a model may take longer to load than SageMaker's containers have by default. */
const LARGE_ARCHIVE_BYTES = 2 ** 30;
const LARGE_STARTUP_SECONDS = 900;
const LARGE_DOWNLOAD_SECONDS = 1200;

/** Planning of endpoints of instances. */
export const instanceEndpoint: EndpointPlanning = {
  refuse(asked, refuse) {
    refuseAutoscaling(asked.config, refuse);
    refuseVolume(asked.config.endpoint, asked.instanceType, refuse);
    if (hasGuardrails(asked.config.endpoint)) return refuseLateAlarms(asked, refuse);
    refuseGuardrails(asked, 'endpoint.acceleratorType, which AWS updates without alarms', refuse);
  },
  notes(asked) {
    const { endpoint } = asked.config;
    return [
      ...said(
        endpoint.ttlHours === null &&
          `endpoint.ttlHours is null: the endpoint costs${toDollars(asked.instanceUsd)} until it is deleted by hand`,
      ),
      ...quotaNotes(endpoint, asked.instanceType),
      ...(hasGuardrails(endpoint) ? bakeNotes(asked) : []),
    ];
  },
  hourlyUsd: ({ instanceUsd }) => instanceUsd,
  usualTtlHours: 8,
  defaults({ config: { endpoint }, frame: { archiveBytes = 0 }, instanceType }) {
    const isLarge = archiveBytes > LARGE_ARCHIVE_BYTES;
    const { memorySizeInMB } = endpoint;
    return {
      memorySizeInMB,
      amiVersion: endpoint.amiVersion ?? familyOf(instanceType).hostingImage,
      containerStartupTimeoutInSeconds:
        endpoint.containerStartupTimeoutInSeconds ?? (isLarge ? LARGE_STARTUP_SECONDS : null),
      modelDownloadTimeoutInSeconds:
        endpoint.modelDownloadTimeoutInSeconds ?? (isLarge ? LARGE_DOWNLOAD_SECONDS : null),
    };
  },
};

/** Whether SageMaker updates it with a bake and alarms, which it doesn't if it has an accelerator. */
function hasGuardrails({ acceleratorType, onRetiredAccelerator }: PipelineConfig['endpoint']): boolean {
  return acceleratorType === null || onRetiredAccelerator !== 'send';
}

/** Notes on the instances that an update needs: a candidate of one instance does not show that a larger fleet can be updated. */
function quotaNotes(settings: PipelineConfig['endpoint'], instanceType: string): string[] {
  const needed = instanceKind.instancesWhileUpdated(settings);
  return said(
    needed !== 2 &&
      `the endpoint needs up to ${needed} instances of the quota "${quotaName(instanceType, 'endpoint')}" while it ` +
        'is updated: what serves, and as many next to it',
  );
}

/** Refuses a volume for instances with disks of their own: SageMaker attaches none, and refuses a size for it. */
export function refuseVolume(
  { volumeSizeInGB }: PipelineConfig['endpoint'],
  instanceType: string,
  refuse: RefuseField,
): void {
  if (volumeSizeInGB === null || !familyOf(instanceType).disks) return;
  const message = `cannot be with ${instanceType}, which keeps models on its own disks: leave it out`;
  refuse('volumeSizeInGB', volumeSizeInGB, message);
}

function refuseAutoscaling({ endpoint }: PipelineConfig, refuse: RefuseField): void {
  const { autoscaling, initialInstanceCount, instanceType } = endpoint;
  if (autoscaling === null) return;
  const { minInstances, maxInstances } = autoscaling;
  if (minInstances > maxInstances) {
    const message = `must be at least endpoint.autoscaling.minInstances ${minInstances}, is ${maxInstances}`;
    refuse('autoscaling.maxInstances', maxInstances, message);
  } else if (initialInstanceCount < minInstances || initialInstanceCount > maxInstances) {
    const message = `must be within endpoint.autoscaling, ${minInstances}..${maxInstances}, is ${initialInstanceCount}`;
    refuse('initialInstanceCount', initialInstanceCount, message);
  }
  if (familyOf(instanceType).burstable) {
    const message =
      'cannot be scaled: AWS scales no burstable instances. Use one such as ml.m5.large, or set endpoint.autoscaling to null';
    refuse('instanceType', instanceType, message);
  }
}

function toDollars(price: number | null): string {
  return price === null ? '' : ` ${dollars(price)} an hour and instance`;
}
