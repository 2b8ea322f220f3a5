import * as z from 'zod';
import { TrainingFramework } from '../frameworks/framework-name.ts';

/** How the input of a training job reaches its hosts. */
export const InputMode = z.enum(['File', 'FastFile', 'Pipe']);

/** One input channel: one of `prefix`, `manifest` and `augmentedManifest`, which the plan checks. */
const ChannelSettings = z.strictObject({
  prefix: z
    .string()
    .max(1024)
    .describe('Folder within the drop, with a slash at its end; "" is all of the drop.')
    .optional(),
  manifest: z
    .string()
    .min(1)
    .max(1024)
    .describe('File of the drop in the manifest format of SageMaker: a prefix, and keys below it.')
    .optional(),
  augmentedManifest: z
    .string()
    .min(1)
    .max(1024)
    .describe('JSON Lines file of the drop, each line with the attributes. For the input mode Pipe.')
    .optional(),
  attributes: z
    .array(z.string().min(1).max(256))
    .min(1)
    .max(16)
    .describe('Attributes of an augmented manifest that are sent, in this order.')
    .optional(),
  distribution: z
    .enum(['FullyReplicated', 'ShardedByS3Key'])
    .describe('All objects on every host, or each object on one of them.')
    .default('FullyReplicated'),
  shuffleSeed: z
    .int()
    .min(0)
    .describe('Shuffles the objects of every epoch, in the input mode Pipe.')
    .optional(),
  inputMode: InputMode.describe("The channel's own input mode.").optional(),
  contentType: z.string().min(1).max(256).describe('Media type, as scripts see it.').optional(),
  compression: z
    .enum(['None', 'Gzip'])
    .describe('Gzip: objects are decompressed, in the input mode Pipe.')
    .default('None'),
  recordWrapper: z
    .enum(['None', 'RecordIO'])
    .describe('RecordIO: each object becomes one record, in the input mode Pipe.')
    .default('None'),
});

/** How the hosts of a training job work together. */
export const DistributionSettings = z
  .union([
    z.strictObject({
      mpi: z.strictObject({
        processesPerHost: z.int().min(1).max(64).describe('Null: one.').nullable().default(null),
        customOptions: z.string().max(2_000).describe('Further options of mpirun.').default(''),
      }),
    }),
    z.strictObject({ parameterServer: z.literal(true) }),
    z.strictObject({ torchDistributed: z.literal(true) }),
  ])
  .nullable()
  .describe(
    '{"mpi": {"processesPerHost": 4, "customOptions": "…"}} as Horovod needs it, {"parameterServer": true} for TensorFlow, ' +
      '{"torchDistributed": true} for torchrun. Null: one process a host, which finds the others by SM_HOSTS.',
  );

/** Steps that follow once the trained model has been registered. */
export const AfterSettings = z.strictObject({
  evaluate: z
    .string()
    .min(1)
    .max(512)
    .regex(/^[^/]+$/, 'must be the name of one folder, without /')
    .nullable()
    .describe(
      'Evaluation set (pipelines/<pipeline>/evaluation/<name>/) with the files that judge the trained model; ' +
        'where it is given, no other run of the pipeline deploys a model automatically. Null: it is not evaluated.',
    )
    .default(null),
  promote: z
    .enum(['ask', 'when-gate-passes', 'never'])
    .describe(
      'Whether the trained model becomes the one of the pipeline. ask: the message has the command. when-gate-passes: where the gate of ' +
        'the evaluation passes, in which the model may lose gate.maxAccuracyDrop (0.01 if not set) against the one that is there.',
    )
    .default('ask'),
});

/** When a training job is stopped early, by the values of its metrics in the log of the first host. */
export const StopSettings = z.strictObject({
  nan: z
    .boolean()
    .describe('Stops the job once a metric is NaN three times in a row. Infinity does not count.')
    .default(true),
  metric: z
    .string()
    .nullable()
    .describe('One of training.metrics: the job is stopped when it gets no better. Null: none.')
    .default(null),
  mode: z
    .enum(['min', 'max'])
    .nullable()
    .describe('Whether the metric is better the lower (min) or the higher (max) it is; needed with metric.')
    .default(null),
  patience: z
    .int()
    .min(1)
    .max(10_000)
    .describe('Values in a row, none of them better than the best before, after which the job is stopped.')
    .default(5),
});
export type StopSettings = z.infer<typeof StopSettings>;

/** `training` of pipeline.json: a SageMaker training job in script mode, and the steps after it. The bounds come from CreateTrainingJob. */
export const TrainingSettings = z.strictObject({
  framework: TrainingFramework.describe('Framework of the training container that runs the script.'),
  version: z
    .string()
    .regex(/^\d+\.\d+(\.\d+)?$/, 'must be a version such as 2.12.0')
    .describe('Version of the framework: an AWS Deep Learning Container of this version is used.'),
  pyVersion: z
    .string()
    .regex(/^py\d{1,3}$/, 'must be a Python of the containers such as py310')
    .nullable()
    .describe(
      'Python of the container, for versions that have several. Null: py3 where the version has it, else the newest.',
    )
    .default(null),
  image: z
    .string()
    .min(1)
    .max(255)
    .nullable()
    .describe('A training image of your own, in ECR.')
    .default(null),
  sourceDir: z.string().max(512).describe('Folder with the source, next to pipeline.json.').default('code'),
  entryPoint: z
    .string()
    .min(1)
    .max(256)
    .describe('The script in the source folder that is run, such as train.py.'),
  instances: z
    .strictObject({
      types: z
        .array(
          z.string().regex(/^ml\.[a-z0-9-]+\.[a-z0-9-]+$/, 'must be an instance type such as ml.m5.xlarge'),
        )
        .min(1)
        .max(10)
        .describe(
          'In order of preference: the next one is used where AWS has no capacity. All must run the same image.',
        )
        .default(['ml.m5.xlarge']),
      count: z.int().min(1).max(100).describe('Hosts of the job.').default(1),
      volumeSizeInGB: z.int().min(1).max(16_384).describe('Disk of each host.').default(30),
    })
    .prefault({}),
  distribution: DistributionSettings.default(null),
  hyperparameters: z
    .record(z.string(), z.unknown())
    .describe('Arguments of the script by name, any JSON value; a drop may override them.')
    .default({}),
  channels: z
    .record(z.string(), z.union([z.string().max(1024), ChannelSettings]))
    .describe(
      'Input channels by name: a folder within the drop such as "train/" ("" is all of it), or an object with more settings.',
    )
    .default({ training: '' }),
  inputMode: InputMode.describe('How input reaches the hosts: copied, mounted, or streamed.').default('File'),
  metrics: z
    .record(z.string(), z.string())
    .describe(
      'Metrics by name: an RE2 regular expression over each line of the log; its first group is the value.',
    )
    .default({}),
  stop: StopSettings.prefault({}),
  checkpoints: z
    .boolean()
    .describe(
      'Keeps what the script writes below /opt/ml/checkpoints, so that an interrupted spot job and a rerun go on from there.',
    )
    .default(true),
  spot: z
    .strictObject({
      maxWaitMinutes: z
        .number()
        .positive()
        .max(8_640)
        .describe('Waiting and training together: at least maxRunMinutes.'),
    })
    .nullable()
    .describe('Trains on spare capacity, which is cheaper and may be taken away. Null: on demand.')
    .default(null),
  vpc: z
    .boolean()
    .nullable()
    .describe('Whether the hosts are in the VPC of the stack. Null: where the stack has one.')
    .default(null),
  networkIsolation: z
    .boolean()
    .describe('true: the hosts reach only each other, no network and no AWS credentials.')
    .default(false),
  encryptInterContainerTraffic: z
    .boolean()
    .describe('Encrypts the traffic among the hosts; slower.')
    .default(false),
  environment: z
    .record(z.string(), z.string().max(512))
    .describe('Environment variables of the script. No secrets: they are shown in plan and report.')
    .default({}),
  tags: z.record(z.string(), z.string().max(256)).describe('Further tags of the job.').default({}),
  /** Upper bound: the time that an execution can wait for it. */
  maxRunMinutes: z
    .number()
    .positive()
    .max(4_320)
    .describe('Minutes after which the job is stopped; the model that it has written by then is kept.')
    .default(60),
  maxCostUsd: z
    .number()
    .positive()
    .nullable()
    .describe(
      'US dollars that training and evaluation may cost together. Null: no bound but limits.maxCostUsdPerDay.',
    )
    .default(20),
  after: AfterSettings.prefault({}),
});
export type TrainingSettings = z.infer<typeof TrainingSettings>;
