import { refuseGuardrails, refuseInstances } from '../guardrails.ts';
import type { AskedEndpoint, EndpointFrame, EndpointPlanning, RefuseField } from '../planning.ts';

/** Cap on a request to a serverless endpoint, by SageMaker's quotas. */
const SERVERLESS_PAYLOAD_BYTES = 4 * 2 ** 20;
const BYTES_PER_MB = 2 ** 20;

/** Planning of SageMaker's serverless endpoints. */
export const serverlessEndpoint: EndpointPlanning = {
  refuse: refuseServerless,
  notes: ({ frame }) => serverlessNotes(frame),
  hourlyUsd: () => null,
  usualTtlHours: 8,
  defaults: ({ config: { endpoint } }) => ({ ...endpoint, amiVersion: null }),
};

function refuseServerless(asked: AskedEndpoint, refuse: RefuseField): void {
  const { endpoint, model } = asked.config;
  const { memorySizeInMB } = endpoint;
  const { frame } = asked;
  refuseInstances(asked, 'scales automatically up to endpoint.maxConcurrency', refuse);
  refuseGuardrails(asked, 'endpoint.type "serverless", which AWS updates without alarms', refuse);
  // https://docs.aws.amazon.com/sagemaker/latest/dg/serverless-endpoints.html, feature exclusions.
  if (model.networkIsolation) {
    const message =
      'cannot be "serverless" with model.networkIsolation, which AWS has for instances only: set it to "instance", or ' +
      'model.networkIsolation to false';
    refuse('type', endpoint.type, message);
  }
  if (frame.hasVpc) {
    const message =
      'cannot be "serverless" where the stack parameter VpcSubnetIds puts models into a VPC: set it to "instance"';
    refuse('type', endpoint.type, message);
  }
  if (frame.archiveBytes !== undefined && frame.archiveBytes > memorySizeInMB * BYTES_PER_MB) {
    const message =
      `must hold the model, and its archive already has ${Math.ceil(frame.archiveBytes / BYTES_PER_MB)} MB: raise it ` +
      '(up to 6144), or set endpoint.type to "instance"';
    refuse('memorySizeInMB', memorySizeInMB, message);
  }
}

function serverlessNotes({ largestObjectBytes }: EndpointFrame): string[] {
  if (largestObjectBytes <= SERVERLESS_PAYLOAD_BYTES) return [];
  return [
    'endpoint.type "serverless" takes requests of at most 4 MB, and the largest input of this run is larger',
  ];
}
