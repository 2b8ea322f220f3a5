import { familyOf } from '../model/instance-families.ts';
import type { AskedEndpoint, EndpointFrame, EndpointPlanning, RefuseField } from './endpoint-planning.ts';

/** Cap on a request to a serverless endpoint, by SageMaker's quotas. */
const SERVERLESS_PAYLOAD_BYTES = 4 * 2 ** 20;
const BYTES_PER_MB = 2 ** 20;

/** Planning of SageMaker's serverless endpoints. */
export const serverlessEndpoint: EndpointPlanning = {
  refuse: refuseServerless,
  notes: ({ frame }) => serverlessNotes(frame),
  hourlyUsd: () => null,
  defaults: ({ config: { endpoint } }) => ({ ...endpoint, amiVersion: null }),
};

/** Settings that serverless endpoints do not have. */
const OF_INSTANCES = [
  'amiVersion',
  'containerStartupTimeoutInSeconds',
  'modelDownloadTimeoutInSeconds',
  'volumeSizeInGB',
] as const;

function refuseServerless({ config: { endpoint, model }, frame }: AskedEndpoint, refuse: RefuseField): void {
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
