import { familyOf } from '../../model/instance-families.ts';
import { quotaName } from '../../model/quota-name.ts';
import { refuseGuardrails } from '../guardrails.ts';
import { instanceEndpoint, refuseVolume } from '../instance/planning.ts';
import type { EndpointPlanning } from '../planning.ts';

/** Planning of endpoints that give up their instances while they're idle. */
export const scaleToZeroEndpoint: EndpointPlanning = {
  refuse(asked, refuse) {
    const { instanceType } = asked;
    const { endpoint } = asked.config;
    const { type, acceleratorType, autoscaling, scaleToZero } = endpoint;
    if (type !== 'instance') {
      const message =
        `cannot be with endpoint.type "${type}", which costs nothing while it is idle anyway: leave it out, or set ` +
        'endpoint.type to "instance"';
      refuse('scaleToZero', scaleToZero, message);
    }
    if (acceleratorType !== null) {
      const message =
        'cannot be with endpoint.scaleToZero, which AWS has not for Elastic Inference: set it to null';
      refuse('acceleratorType', acceleratorType, message);
    }
    if (autoscaling !== null) {
      const message =
        'cannot be with endpoint.scaleToZero, which scales between none and endpoint.initialInstanceCount: leave it out';
      refuse('autoscaling', autoscaling, message);
    }
    refuseGuardrails(asked, 'endpoint.scaleToZero, which does not replace models step by step', refuse);
    if (familyOf(instanceType).burstable) {
      const message =
        'cannot be with endpoint.scaleToZero: AWS scales no burstable instances. Use one such as ml.m5.large';
      refuse('instanceType', instanceType, message);
    }
    refuseVolume(endpoint, instanceType, refuse);
  },
  notes: ({ config: { endpoint }, instanceType }) => [
    'the endpoint falls asleep after a quarter of an hour without a request, and costs nothing some ten minutes ' +
      'later; the next request is answered by 503 and wakes it, which takes minutes',
    `the endpoint needs up to ${2 * endpoint.initialInstanceCount} instances of the quota ` +
      `"${quotaName(instanceType, 'endpoint')}" while it is updated`,
  ],
  hourlyUsd: ({ instanceUsd }) => instanceUsd,
  usualTtlHours: instanceEndpoint.usualTtlHours,
  defaults: (asked) => instanceEndpoint.defaults(asked),
};
