import { familyOf } from '../model/instance-families.ts';
import { EndpointSettings } from '../pipeline/endpoint-settings.ts';
import { dollars, duration } from '../text/figures.ts';
import type { AskedEndpoint, RefuseField } from './planning.ts';

/** Settings that endpoints without instances do not have. */
const OF_INSTANCES = [
  'amiVersion',
  'containerStartupTimeoutInSeconds',
  'modelDownloadTimeoutInSeconds',
  'volumeSizeInGB',
] as const;

const UNSET = EndpointSettings.parse({});

/** A period of CloudWatch alarms. */
const ALARM_SECONDS = 60;

/** Price of an update, which keeps the old instances next to the new ones for the bake. */
export function bakeNotes({ config: { endpoint }, instanceType, instanceUsd }: AskedEndpoint): string[] {
  const { bakeSeconds, initialInstanceCount: count } = endpoint;
  if (bakeSeconds === 0 || instanceUsd === null) return [];
  const usd = (count * instanceUsd * bakeSeconds) / 3600;
  const old = `${count === 1 ? '' : `${count} × `}${instanceType}`;
  return [
    `an update of the endpoint keeps its old instances for ${duration(bakeSeconds)} (endpoint.bakeSeconds): ${old} costs ${dollars(usd)}`,
  ];
}

/** Refuses alarms that cannot ring in time. */
export function refuseLateAlarms({ config: { endpoint } }: AskedEndpoint, refuse: RefuseField): void {
  const { rollbackAlarms, bakeSeconds } = endpoint;
  if (rollbackAlarms.length === 0 || bakeSeconds >= ALARM_SECONDS) return;
  const message =
    `must be at least ${ALARM_SECONDS} if endpoint.rollbackAlarms names alarms, which are judged once a minute; ` +
    `it is ${bakeSeconds}`;
  refuse('bakeSeconds', bakeSeconds, message);
}

/** Refuses the settings of SageMaker's deployment guardrails for an endpoint without them; `excluded` says why. */
export function refuseGuardrails(
  { config: { endpoint } }: AskedEndpoint,
  excluded: string,
  refuse: RefuseField,
): void {
  const { rollbackAlarms, bakeSeconds } = endpoint;
  const message = `cannot be with ${excluded}: leave it out`;
  if (rollbackAlarms.length > 0) refuse('rollbackAlarms', rollbackAlarms, message);
  if (bakeSeconds !== UNSET.bakeSeconds) refuse('bakeSeconds', bakeSeconds, message);
}

/** Refuses the settings of instances for an endpoint without instances; `scaling` says how it grows. */
export function refuseInstances(
  { config: { endpoint } }: AskedEndpoint,
  scaling: string,
  refuse: RefuseField,
): void {
  const { type, acceleratorType, autoscaling, instanceType, initialInstanceCount } = endpoint;
  const cannot = `cannot be with endpoint.type "${type}", which`;
  if (acceleratorType !== null && endpoint.onRetiredAccelerator !== 'cpu')
    refuse(
      'acceleratorType',
      acceleratorType,
      `${cannot} has processors only: set it to null, or endpoint.type to "instance"`,
    );
  if (familyOf(instanceType).processor !== 'cpu')
    refuse(
      'instanceType',
      instanceType,
      `asks for an accelerator, and endpoint.type "${type}" has processors only: leave it out, or set endpoint.type to "instance"`,
    );
  if (autoscaling !== null) refuse('autoscaling', autoscaling, `${cannot} ${scaling}: leave it out`);
  const noInstances = `${cannot} has no instances: leave it out`;
  if (initialInstanceCount > 1) refuse('initialInstanceCount', initialInstanceCount, noInstances);
  for (const field of OF_INSTANCES) if (endpoint[field] !== null) refuse(field, endpoint[field], noInstances);
}
