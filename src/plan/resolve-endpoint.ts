import { instancesWhileUpdated } from '../endpoint/instances.ts';
import { resolveAccelerator, type ResolvedAccelerator } from '../endpoint/retired-accelerator.ts';
import { resolveImageUri } from '../model/image-uri.ts';
import { familyOf } from '../model/instance-families.ts';
import { quotaName } from '../model/quota-name.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { toShownValue } from '../pipeline/shown-value.ts';
import { resolveHourlyPrice } from '../price/hourly-price.ts';
import type { PriceOverride } from '../price/price-override.ts';
import { priceTable } from '../price/price-table.ts';
import type { Problem } from '../problem/problem.ts';
import { misspeltType } from './misspelt-type.ts';
import type { PlannedEndpoint } from './plan.ts';

/** Cap on a request to a serverless endpoint, by SageMaker's quotas. */
const SERVERLESS_PAYLOAD_BYTES = 4 * 2 ** 20;
const BYTES_PER_MB = 2 ** 20;
/** Size from which a model may take longer to load than SageMaker's containers have by default. */
const LARGE_ARCHIVE_BYTES = 2 ** 30;
const LARGE_STARTUP_SECONDS = 900;
const LARGE_DOWNLOAD_SECONDS = 1200;

/** Facts of a run besides its configuration. */
export interface EndpointFrame {
  readonly region: string;
  readonly prices: PriceOverride | undefined;
  readonly hasVpc: boolean;
  /** Undefined if the archive could not be read. */
  readonly archiveBytes: number | undefined;
  readonly largestObjectBytes: number;
}

/** The endpoint of a run; null if the run has none. */
export interface ResolvedEndpoint {
  readonly endpoint: PlannedEndpoint | null;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Resolves the endpoint of a run and refuses combinations that AWS refuses later, or that cannot be intended.
 *
 * A pipeline that never deploys is refused for its accelerator and a misspelt type alone; its endpoint is still resolved, for
 * deployments by hand.
 */
export function resolveEndpoint(config: PipelineConfig, frame: EndpointFrame): ResolvedEndpoint {
  const { endpoint: settings, model } = config;
  const usdPerHour = (type: string): number | null =>
    resolveHourlyPrice(type, frame.region, { table: priceTable, override: frame.prices }).usd;
  const hardware = resolveAccelerator(settings, usdPerHour);
  const { instanceType, acceleratorType } = hardware;
  const problems: Problem[] = [];
  const refuse = (field: string, value: unknown, message: string): void => {
    problems.push({ file: 'pipeline.json', field: `endpoint.${field}`, value: toShownValue(value), message });
  };
  if (hardware.refusal !== undefined) refuse('acceleratorType', settings.acceleratorType, hardware.refusal);
  const misspelt = usdPerHour(instanceType) === null ? misspeltType(instanceType) : undefined;
  if (misspelt !== undefined) refuse('instanceType', instanceType, misspelt);
  const always = [...problems];

  const image = imageOf(config, instanceType, acceleratorType, frame.region);
  const isVersion = 'reason' in image && image.field !== 'instanceType';
  if ('reason' in image && (isVersion || misspelt === undefined)) {
    problems.push({
      file: 'pipeline.json',
      field: isVersion ? 'model.frameworkVersion' : 'endpoint.instanceType',
      value: toShownValue(isVersion ? model.frameworkVersion : instanceType),
      message: image.reason,
    });
  }
  if (settings.type === 'serverless') refuseServerless(config, frame, refuse);
  else {
    refuseAutoscaling(config, refuse);
    refuseVolume(settings, instanceType, refuse);
  }
  if (settings.deploy === 'when-gate-passes' && !hasGate(config)) {
    const message =
      'needs a gate to pass: set gate.minAccuracy or gate.maxErrorRate, or endpoint.deploy to "never" and deploy by hand';
    refuse('deploy', settings.deploy, message);
  }

  const deploys = settings.deploy !== 'never';
  const price = settings.type === 'serverless' ? null : usdPerHour(instanceType);
  return {
    endpoint:
      'reason' in image || problems.length > 0
        ? null
        : plannedEndpoint(settings, hardware, image.imageUri, price, frame.archiveBytes ?? 0),
    notes: [
      ...(hardware.note === undefined ? [] : [hardware.note]),
      ...(deploys && settings.type === 'serverless' ? serverlessNotes(frame) : []),
      ...(deploys && settings.ttlHours === null && settings.type === 'instance'
        ? [`endpoint.ttlHours is null: the endpoint costs${toDollars(price)} until it is deleted by hand`]
        : []),
      ...(deploys && settings.type === 'instance' ? quotaNotes(settings, instanceType) : []),
    ],
    problems: deploys ? problems : always,
  };
}

function plannedEndpoint(
  { deploy, type, ...settings }: PipelineConfig['endpoint'],
  { instanceType, acceleratorType }: ResolvedAccelerator,
  imageUri: string,
  hourlyUsd: number | null,
  archiveBytes: number,
): PlannedEndpoint {
  const isLarge = type === 'instance' && archiveBytes > LARGE_ARCHIVE_BYTES;
  return {
    deploy,
    type,
    instanceType,
    amiVersion: type === 'serverless' ? null : (settings.amiVersion ?? familyOf(instanceType).hostingImage),
    initialInstanceCount: settings.initialInstanceCount,
    autoscaling: settings.autoscaling,
    containerStartupTimeoutInSeconds:
      settings.containerStartupTimeoutInSeconds ?? (isLarge ? LARGE_STARTUP_SECONDS : null),
    modelDownloadTimeoutInSeconds:
      settings.modelDownloadTimeoutInSeconds ?? (isLarge ? LARGE_DOWNLOAD_SECONDS : null),
    volumeSizeInGB: settings.volumeSizeInGB,
    memorySizeInMB: settings.memorySizeInMB,
    maxConcurrency: settings.maxConcurrency,
    acceleratorType,
    imageUri,
    ttlHours: settings.ttlHours,
    idleHours: settings.idleHours,
    owner: settings.owner,
    rollbackAlarms: settings.rollbackAlarms,
    hourlyUsd,
  };
}

function imageOf(
  { model }: PipelineConfig,
  instanceType: string,
  acceleratorType: string | null,
  region: string,
): ReturnType<typeof resolveImageUri> {
  if (model.image !== null) return { imageUri: model.image };
  const { framework, frameworkVersion: version } = model;
  return resolveImageUri({ framework, version, instanceType, region, acceleratorType });
}

/** Settings that serverless endpoints do not have. */
const OF_INSTANCES = [
  'amiVersion',
  'containerStartupTimeoutInSeconds',
  'modelDownloadTimeoutInSeconds',
  'volumeSizeInGB',
] as const;

type Refuse = (field: string, value: unknown, message: string) => void;

function refuseServerless({ endpoint, model }: PipelineConfig, frame: EndpointFrame, refuse: Refuse): void {
  const { acceleratorType, autoscaling, instanceType, memorySizeInMB, initialInstanceCount } = endpoint;
  if (acceleratorType !== null && endpoint.onRetiredAccelerator !== 'cpu') {
    const message =
      'cannot be with endpoint.type "serverless", which has processors only: set it to null, or endpoint.type to "instance"';
    refuse('acceleratorType', acceleratorType, message);
  }
  if (familyOf(instanceType).processor !== 'cpu') {
    const message =
      'asks for an accelerator, and endpoint.type "serverless" has processors only: leave it out, or set endpoint.type to "instance"';
    refuse('instanceType', instanceType, message);
  }
  if (autoscaling !== null) {
    const message =
      'cannot be with endpoint.type "serverless", which scales by itself up to endpoint.maxConcurrency: leave it out';
    refuse('autoscaling', autoscaling, message);
  }
  if (initialInstanceCount > 1) {
    const message = 'cannot be with endpoint.type "serverless", which has no instances: leave it out';
    refuse('initialInstanceCount', initialInstanceCount, message);
  }
  for (const field of OF_INSTANCES)
    if (endpoint[field] !== null) {
      const message = 'cannot be with endpoint.type "serverless", which has no instances: leave it out';
      refuse(field, endpoint[field], message);
    }
  // https://docs.aws.amazon.com/sagemaker/latest/dg/serverless-endpoints.html, feature exclusions.
  if (model.networkIsolation) {
    const message =
      'cannot be "serverless" with model.networkIsolation, which AWS has for instances only: set it to "instance", or model.networkIsolation to false';
    refuse('type', endpoint.type, message);
  }
  if (frame.hasVpc) {
    const message =
      'cannot be "serverless" where the stack parameter VpcSubnetIds puts models into a VPC: set it to "instance"';
    refuse('type', endpoint.type, message);
  }
  if (frame.archiveBytes !== undefined && frame.archiveBytes > memorySizeInMB * BYTES_PER_MB) {
    const message = `must hold the model, whose archive alone has ${Math.ceil(frame.archiveBytes / BYTES_PER_MB)} MB: raise it (up to 6144), or set endpoint.type to "instance"`;
    refuse('memorySizeInMB', memorySizeInMB, message);
  }
}

function serverlessNotes({ largestObjectBytes }: EndpointFrame): string[] {
  if (largestObjectBytes <= SERVERLESS_PAYLOAD_BYTES) return [];
  return [
    'endpoint.type "serverless" takes requests of at most 4 MB, and the largest input of this run is larger',
  ];
}

/** Notes on the instances that an update needs: a candidate of one instance does not show that a larger fleet can be updated. */
function quotaNotes(settings: PipelineConfig['endpoint'], instanceType: string): string[] {
  const needed = instancesWhileUpdated(settings);
  return needed === 2
    ? []
    : [
        `the endpoint needs up to ${needed} instances of the quota "${quotaName(instanceType, 'endpoint')}" while it is updated: what serves, and as many beside it`,
      ];
}

/** Refuses a volume for instances with disks of their own: SageMaker attaches none, and refuses a size for it. */
function refuseVolume(
  { volumeSizeInGB }: PipelineConfig['endpoint'],
  instanceType: string,
  refuse: Refuse,
): void {
  if (volumeSizeInGB === null || !familyOf(instanceType).disks) return;
  const message = `cannot be with ${instanceType}, whose models lie on its own disks: leave it out`;
  refuse('volumeSizeInGB', volumeSizeInGB, message);
}

function refuseAutoscaling({ endpoint }: PipelineConfig, refuse: Refuse): void {
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

function hasGate({ gate }: PipelineConfig): boolean {
  return gate !== null && (gate.minAccuracy !== undefined || gate.maxErrorRate !== undefined);
}

function toDollars(price: number | null): string {
  return price === null ? '' : ` $${price.toFixed(2)} an hour and instance`;
}
