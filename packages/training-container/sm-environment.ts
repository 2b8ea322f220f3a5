import { join } from 'node:path';
import type { InputDataConfig, ResourceConfig } from './config-files.ts';
import { configFolder } from './host-layout.ts';
import type { SplitHyperparameters } from './hyperparameters.ts';
import { sortedEntries, toPythonJson, toPythonText } from './python-text.ts';
import { isList, isTruthy, parsePythonJson, type PythonValue } from './python-value.ts';
import { scriptArguments } from './script-arguments.ts';

/** Facts from which the variables of a script are made. */
export interface HostView {
  readonly optMl: string;
  readonly hyperparameters: SplitHyperparameters;
  readonly resources: ResourceConfig;
  readonly inputs: InputDataConfig;
  readonly jobName: string;
  /** The module of AWS's container that would start the script. */
  readonly frameworkModule: string;
  readonly cpus: number;
  readonly gpus: number;
}

/** Hyperparameters of the SDK that make every host a member of the distribution. */
const DISTRIBUTIONS = (
  'sagemaker_mpi_enabled sagemaker_parameter_server_enabled sagemaker_distributed_dataparallel_enabled ' +
  'sagemaker_pytorch_ddp_enabled sagemaker_pytorch_xla_multi_worker_enabled ' +
  'sagemaker_multi_worker_mirrored_strategy_enabled sagemaker_torch_distributed_enabled'
).split(' ');

/** logging.INFO of Python. */
const INFO = 20n;

/**
 * The `SM_…` variables of a script, byte for byte as sagemaker-training 5.1.4 writes them: JSON with sorted keys, without spaces,
 * in ASCII; texts as they are.
 */
export function smEnvironment(view: HostView): Readonly<Record<string, string>> {
  const { optMl, hyperparameters, resources, inputs } = view;
  const { framework, user } = hyperparameters;
  const channels = new Map(
    Object.keys(inputs).map((name) => [name, join(optMl, 'input', 'data', name)] as const),
  );
  const same = commonValues(view);
  const distributionHosts = hostsOf(same['distribution_instance_groups'], resources);
  const master = distributionHosts[0] ?? resources.hosts[0] ?? resources.current_host;
  const trainingEnvironment: Record<string, PythonValue> = {
    ...same,
    additional_framework_parameters: framework,
    channel_input_dirs: channels,
    distribution_hosts: distributionHosts,
    hyperparameters: user,
    is_master: resources.current_host === master,
    is_modelparallel_enabled: null,
    is_smddpmprun_installed: false,
    is_smddprun_installed: false,
    job_name: view.jobName,
    master_hostname: master,
    topology: [],
  };
  const values: [string, PythonValue][] = [
    ...Object.entries(same),
    ['hps', user],
    ['framework_params', framework],
    ['channels', sortedEntries(channels).map(([name]) => name)],
    ['training_env', new Map(Object.entries(trainingEnvironment))],
    ['user_args', scriptArguments(user)],
    ...[...channels].map(([name, path]): [string, PythonValue] => [`channel_${name}`, path]),
    ...[...user].map(([name, value]): [string, PythonValue] => [`hp_${name}`, value]),
  ];
  return Object.fromEntries(values.map(([name, value]) => [`SM_${name.toUpperCase()}`, variable(value)]));
}

/** Values that are both variables of their own and members of `SM_TRAINING_ENV`. */
function commonValues(view: HostView): Readonly<Record<string, PythonValue>> {
  const { optMl, hyperparameters, resources, inputs, cpus, gpus, frameworkModule } = view;
  const { reserved, framework } = hyperparameters;
  const program = reserved.get('sagemaker_program');
  const groups = resources.instance_groups.map((group) => group.instance_group_name);
  return {
    current_host: resources.current_host,
    current_instance_group: resources.current_group_name,
    current_instance_group_hosts: resources.hosts,
    current_instance_type: resources.current_instance_type,
    distribution_instance_groups: distributionGroups(framework, resources),
    framework_module: frameworkModule,
    hosts: resources.hosts,
    input_config_dir: configFolder(optMl),
    input_data_config: asPython(inputs),
    input_dir: join(optMl, 'input'),
    instance_groups: groups,
    instance_groups_dict: new Map(
      resources.instance_groups.map((group) => [group.instance_group_name, asPython(group)]),
    ),
    is_hetero: groups.length > 1,
    log_level: reserved.get('sagemaker_container_log_level') ?? INFO,
    model_dir: join(optMl, 'model'),
    module_dir: textOr(reserved.get('sagemaker_submit_directory'), join(optMl, 'code')),
    module_name: textOr(program, 'None').replace(/\.py$/, ''),
    network_interface_name: resources.network_interface_name,
    num_cpus: BigInt(cpus),
    num_gpus: BigInt(gpus),
    num_neurons: 0n,
    output_data_dir: join(optMl, 'output', 'data'),
    output_dir: join(optMl, 'output'),
    output_intermediate_dir: join(optMl, 'output', 'intermediate'),
    resource_config: asPython(resources),
    user_entry_point: program ?? null,
  };
}

/** The hosts that take part in the distribution, `algo-1` first. */
function hostsOf(groups: PythonValue | undefined, resources: ResourceConfig): readonly string[] {
  const names: readonly PythonValue[] = isList(groups) ? groups : [];
  return resources.instance_groups
    .filter((group) => names.includes(group.instance_group_name))
    .flatMap((group) => group.hosts);
}

function distributionGroups(
  framework: SplitHyperparameters['framework'],
  resources: ResourceConfig,
): PythonValue {
  const named = framework.get('sagemaker_distribution_instance_groups');
  if (named !== undefined) return named;
  return DISTRIBUTIONS.some((name) => isTruthy(framework.get(name))) ? [resources.current_group_name] : [];
}

function variable(value: PythonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : toPythonJson(value);
}

function textOr(value: PythonValue | undefined, otherwise: string): string {
  return value === undefined ? otherwise : toPythonText(value);
}

function asPython(document: object): PythonValue {
  return parsePythonJson(JSON.stringify(document));
}
