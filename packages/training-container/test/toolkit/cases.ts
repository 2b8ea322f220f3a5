import { inputDataConfig, resourceConfig } from '../../config-files.ts';
import { FRAMEWORKS } from '../../frameworks.ts';
import type { TrainingChannel } from '../../training-request.ts';

const channel = (name: string, more: Partial<TrainingChannel> = {}): TrainingChannel => ({
  name,
  inputMode: 'File',
  distribution: 'FullyReplicated',
  recordWrapper: 'None',
  ...more,
});

/** A host as AWS's toolkit reads it. */
export interface ToolkitCase {
  readonly hyperparameters: Readonly<Record<string, string>>;
  readonly resourceconfig: ReturnType<typeof resourceConfig>;
  readonly inputdataconfig: ReturnType<typeof inputDataConfig>;
  readonly jobName: string;
  readonly frameworkModule: string;
  readonly cpus: number;
  readonly gpus: number;
}

function toolkitCase(
  hyperparameters: Readonly<Record<string, string>>,
  hostCount: number,
  host: string,
  channels: readonly TrainingChannel[] = [],
): ToolkitCase {
  return {
    hyperparameters,
    resourceconfig: resourceConfig({ hostCount, instanceType: 'ml.m5.xlarge' }, host, 'lo'),
    inputdataconfig: inputDataConfig({ channels }),
    jobName: 'mnist-1',
    frameworkModule: FRAMEWORKS.pytorch.module,
    cpus: 2,
    gpus: 0,
  };
}

const SDK = {
  sagemaker_container_log_level: '20',
  sagemaker_job_name: '"mnist-1"',
  sagemaker_program: '"train.py"',
  sagemaker_region: '"us-east-1"',
  sagemaker_submit_directory: '"s3://bucket/mnist-1/source/sourcedir.tar.gz"',
};

/** The notebooks' three estimators, and what is awkward between Python and JavaScript. */
export const CASES: readonly ToolkitCase[] = [
  toolkitCase({ ...SDK, epochs: '6', backend: '"gloo"' }, 2, 'algo-2', [channel('training')]),
  toolkitCase(
    {
      ...SDK,
      'batch-size': '256',
      epochs: '60',
      model_dir: '"/opt/ml/model"',
      sagemaker_mpi_custom_mpi_options: '"-verbose --NCCL_DEBUG=INFO"',
      sagemaker_mpi_enabled: 'true',
      sagemaker_mpi_num_of_processes_per_host: '4',
    },
    2,
    'algo-1',
    [channel('train', { contentType: 'application/x-tfrecord' }), channel('eval', { inputMode: 'Pipe' })],
  ),
  toolkitCase({ ...SDK, model_dir: '"s3://b/k"', sagemaker_parameter_server_enabled: 'true' }, 12, 'algo-10'),
  toolkitCase(
    {
      sagemaker_program: 'trainer.task',
      _tuning_objective_metric: 'accuracy',
      n: '1.0',
      tiny: '0.00001',
      small: '0.0001',
      huge: '1e16',
      large: '123456789012345678901234567890',
      big: '1234567890123456.0',
      minus: '-0.0',
      nan: 'NaN',
      most: '-Infinity',
      flag: 'true',
      off: 'false',
      nothing: 'null',
      text: 'plain text, not JSON',
      empty: '',
      quoted: '"it\'s \\"both\\""',
      list: '[1, 2.50, "it\'s", "a\\tb", null, true, {"k": [1]}]',
      map: '{"b": null, "a": 1e-7, "Z": ["x"], "nested": {"y": "\\u00e9"}}',
      unicode: '"Grüße \u{1F600} \u2028"',
      list2: '["Gr\u00fc\u00dfe", "\\u0007", "\\u200b"]',
      'Upper-Case': '"ß"',
      '\u{1F600}': '1',
      '\uff5e': '2',
    },
    1,
    'algo-1',
  ),
  toolkitCase({}, 1, 'algo-1'),
];
