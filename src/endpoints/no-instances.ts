import { familyOf } from '../model/instance-families.ts';
import type { AskedEndpoint, RefuseField } from './planning.ts';

/** Settings that endpoints without instances do not have. */
const OF_INSTANCES = [
  'amiVersion',
  'containerStartupTimeoutInSeconds',
  'modelDownloadTimeoutInSeconds',
  'volumeSizeInGB',
] as const;

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
