import { hostNames, toHostPaths } from './host-layout.ts';
import type { TrainingRequest } from './training-request.ts';

/** `input/config/resourceconfig.json`. */
export interface ResourceConfig {
  readonly current_host: string;
  readonly current_instance_type: string;
  readonly current_group_name: string;
  readonly hosts: readonly string[];
  readonly instance_groups: readonly InstanceGroup[];
  readonly network_interface_name: string;
}

interface InstanceGroup {
  readonly instance_group_name: string;
  readonly instance_type: string;
  readonly hosts: readonly string[];
}

/** `input/config/inputdataconfig.json`: a member for each channel. */
export type InputDataConfig = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The only group of a job, if its request names no groups. */
const GROUP = 'homogeneousCluster';

/** A host's view of its cluster. `hosts` is sorted as texts are. */
export function resourceConfig(
  { hostCount, instanceType }: Pick<TrainingRequest, 'hostCount' | 'instanceType'>,
  host: string,
  networkInterface: string,
): ResourceConfig {
  const hosts = hostNames(hostCount).toSorted();
  return {
    current_host: host,
    current_instance_type: instanceType,
    current_group_name: GROUP,
    hosts,
    instance_groups: [{ instance_group_name: GROUP, instance_type: instanceType, hosts }],
    network_interface_name: networkInterface,
  };
}

/** The channels of a job, which every host reads alike. `ContentType` is left out if the request doesn't give it. */
export function inputDataConfig({ channels }: Pick<TrainingRequest, 'channels'>): InputDataConfig {
  return Object.fromEntries(
    channels.map(({ name, inputMode, distribution, recordWrapper, contentType }) => [
      name,
      {
        TrainingInputMode: inputMode,
        S3DistributionType: distribution,
        RecordWrapperType: recordWrapper,
        ...(contentType !== undefined && { ContentType: contentType }),
      },
    ]),
  );
}

/** The request's hyperparameters as a host reads them; its processes find `/opt/ml` at `optMl`. */
export function hostHyperparameters(
  hyperparameters: Readonly<Record<string, string>>,
  optMl: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(hyperparameters).map(([name, text]) => [name, toHostPaths(text, optMl)]),
  );
}
