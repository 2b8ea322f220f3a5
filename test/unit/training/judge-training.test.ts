import { describe, expect, test } from 'vitest';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { problemLine } from '../../../src/problem/problem.ts';
import type { TrainingStack } from '../../../src/run/stack-settings.ts';
import { askedChannels } from '../../../src/training/asked-channel.ts';
import { judgeTraining, type TrainingFindings } from '../../../src/training/judge-training.ts';

const STACK: TrainingStack = {
  region: 'us-east-1',
  readBuckets: [],
  roleArn: 'arn:role',
  vpc: null,
  kmsKeyArn: null,
  resourceTags: {},
};
const PLACE = 's3://bucket/training/clothes/monday/';
const SOURCE = 's3://bucket/pipelines/clothes/code/';
const TRAINING = { framework: 'tensorflow', version: '2.12', entryPoint: 'train.py', networkIsolation: true };

const FINDINGS: TrainingFindings = {
  source: {
    place: SOURCE,
    files: [{ path: 'train.py', bytes: 9, etag: 'e' }],
    texts: new Map([['train.py', 'import tensorflow as tf\n']]),
  },
  classes: [],
  inputs: new Map([['training', { objects: 2, bytes: 9 }]]),
  place: PLACE,
  isOwnFolder: true,
  otherFiles: 'none',
  evaluation: null,
  quotas: new Map([['ml.m5.xlarge for training job usage', 4]]),
};

function judge(
  training: object = {},
  {
    model = {},
    transform = {},
    limits = {},
    job,
    stack = {},
    ...findings
  }: Partial<TrainingFindings> & {
    model?: object;
    transform?: object;
    limits?: object;
    job?: Record<string, unknown>;
    stack?: Partial<TrainingStack>;
  } = {},
) {
  const parsed = parsePipelineConfig(
    JSON.stringify({
      model: { framework: 'tensorflow', frameworkVersion: '2.19.0', ...model },
      labels: { classes: ['a', 'b'] },
      limits,
      transform: { contentType: 'application/json', ...transform },
      training: { ...TRAINING, ...training },
    }),
  );
  if (!('value' in parsed) || parsed.value?.training === null || parsed.value?.training === undefined)
    throw new Error(JSON.stringify(parsed.problems));
  const { training: settings } = parsed.value;
  return judgeTraining(
    {
      config: parsed.value,
      training: settings,
      hyperparameters: [
        { file: 'pipeline.json', field: 'training.hyperparameters', values: settings.hyperparameters },
        ...(job === undefined ? [] : [{ file: 'job.json' as const, field: 'hyperparameters', values: job }]),
      ],
      channels: askedChannels(settings),
      prices: undefined,
    },
    { ...FINDINGS, ...findings },
    { ...STACK, ...stack },
  );
}
const lines = (...asked: Parameters<typeof judge>): string[] => judge(...asked).problems.map(problemLine);

test('the tags of the stack are among the 50 of a job, and win over equal ones', () => {
  const stackTags = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`s${index}`, 'x']));
  const tags = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'x']));
  const stack = { resourceTags: stackTags };
  const asked = (count: number) => ({ tags: { ...tags(count), s1: 'mine' } });
  expect(lines(asked(5), { stack })).toEqual([]);
  expect(lines(asked(6), { stack })).toEqual([
    'pipeline.json: training.tags must have at most 5 tags, has 6: SageMaker takes 50, and the application and the stack have theirs',
  ]);
});

test('a training with which nothing is wrong has an image, a quote and no problem', () => {
  expect(judge()).toMatchObject({
    problems: [],
    notes: [],
    image: { version: '2.12', pyVersion: 'py310', horovod: '0.27.0' },
    quoteUsd: 0.2304,
  });
});

/** A source of these files. */
const sourceOf = (texts: Readonly<Record<string, string>>) => ({
  ...FINDINGS.source,
  files: Object.entries(texts).map(([path, text]) => ({ path, bytes: text.length, etag: 'e' })),
  texts: new Map(Object.entries(texts)),
});
const TRAINS = 'import tensorflow as tf\ntf.keras.Sequential().compile()\n';
const NEEDS_HANDLER =
  'has no code/inference.py, and without one the container answers 415 to transform.contentType ' +
  '"application/x-image": add a handler (docs/handlers.md has some to copy), or use one of application/json, ' +
  'application/jsonlines, application/jsons, text/csv';

describe('a model that the pipeline could not serve', () => {
  const evaluation = { drop: 'held-out', run: 'shapes/monday/000001', objects: 3 };
  const evaluated = { after: { evaluate: 'held-out' } };
  const other = { framework: 'tensorflow' };

  test.each([
    ['without a handler', { 'train.py': TRAINS }, [`the model ${NEEDS_HANDLER}`]],
    [
      'with half a handler',
      { 'train.py': TRAINS, 'inference.py': 'def input_handler(data, context): pass\n' },
      [expect.stringMatching(/^the model has a code\/inference\.py without output_handler: /)],
    ],
    ['with a handler', { 'train.py': TRAINS, 'inference.py': 'def handler(data, context): pass\n' }, []],
  ])('is a note on a source %s', (_, texts, notes) => {
    const judged = judge({}, { source: sourceOf(texts), transform: { contentType: 'application/x-image' } });
    expect(judged.problems).toEqual([]);
    expect(judged.notes).toEqual(
      notes.map((note) =>
        typeof note === 'string'
          ? `unless train.py writes its own code/inference.py, ${note}`
          : expect.any(String),
      ),
    );
  });

  test('is refused with an evaluation, where the source cannot write a handler', () => {
    const judged = judge(evaluated, {
      evaluation,
      model: other,
      transform: { contentType: 'application/x-image' },
      source: sourceOf({ 'train.py': TRAINS }),
    });
    expect(judged.problems.map(problemLine)).toEqual([
      'pipeline.json: training.after.evaluate needs a model that can be served, but the one of this source ' +
        `${NEEDS_HANDLER}. inference.py belongs into ${SOURCE}`,
    ]);
  });

  test.each<[string, Record<string, string>, object?]>([
    ['has one in a folder', { 'train.py': TRAINS, 'serving/inference.py': '' }],
    ['names it', { 'train.py': `${TRAINS}target = "inference.py"\n` }],
    ['copies folders', { 'train.py': `import shutil\n${TRAINS}` }],
    ['writes files', { 'train.py': `${TRAINS}with open(path, "w") as file: file.write(text)\n` }],
    ['starts programs', { 'train.py': `import subprocess\n${TRAINS}` }],
    ['fills the folder code', { 'train.py': `${TRAINS}folder = root + "/code"\n` }],
    [
      'installs packages',
      { 'train.py': TRAINS, 'requirements.txt': 'own-package\n' },
      { networkIsolation: false },
    ],
    ['is a shell script', { 'train.py': TRAINS, 'run.sh': 'cp x y\n' }],
    [
      'runs in an image of its own',
      { 'train.py': TRAINS },
      { image: '1.dkr.ecr.us-east-1.amazonaws.com/own:1' },
    ],
  ])('is never refused for a source that %s', (_, texts, settings = {}) => {
    const judged = judge(
      { ...evaluated, ...settings },
      {
        evaluation,
        model: other,
        transform: { contentType: 'application/x-image' },
        source: sourceOf(texts),
      },
    );
    expect(judged.problems).toEqual([]);
    expect(judged.notes).toHaveLength(1);
  });
});

test.each<[string, Parameters<typeof judge>, string]>([
  [
    'an unknown version',
    [{ version: '2.15.0' }],
    "pipeline.json: training.version is not a version of AWS's tensorflow training containers: the nearest is 2.14.1; " +
      'name that, or give training.image',
  ],
  [
    'types of two containers',
    [{ instances: { types: ['ml.m5.xlarge', 'ml.g5.xlarge'] } }],
    "pipeline.json: training.instances.types must all run the same container, but some have a GPU and some don't: " +
      'name one kind only, or give training.image',
  ],
  [
    'a type that cannot train',
    [{ instances: { types: ['ml.c7g.xlarge'] }, maxCostUsd: null }, { limits: { maxCostUsdPerDay: null } }],
    'pipeline.json: training.instances.types.0 has no tensorflow training container of AWS: use another CPU or GPU ' +
      'instance, or give training.image',
  ],
  [
    'Horovod that the image lacks',
    [
      { version: '2.19.0' },
      {
        source: {
          ...FINDINGS.source,
          texts: new Map([['train.py', 'import os\nimport horovod.tensorflow as hvd\n']]),
        },
      },
    ],
    `${SOURCE}train.py imports Horovod, which AWS's tensorflow training image of version 2.19.0 on these instances ` +
      'does not have: set training.version to one that has it (the last is TensorFlow 2.12 (py310, Horovod 0.27.0)), ' +
      'give training.image, or add horovod to requirements.txt, which is built for minutes at every start',
  ],
  [
    'a metric to stop by that is not there',
    [{ metrics: { val_loss: 'val_loss: ([0-9.]+)' }, stop: { metric: 'val_los', mode: 'min' } }],
    'pipeline.json: training.stop.metric must be a metric of training.metrics (val_loss), is val_los',
  ],
  [
    'a metric to stop by without a direction',
    [{ metrics: { loss: 'loss: ([0-9.]+)' }, stop: { metric: 'loss' } }],
    'pipeline.json: training.stop.mode must be "min" or "max", is null: say whether loss is better the lower or the higher it is',
  ],
  [
    'an empty channel',
    [{ channels: { train: 'train/' } }],
    `pipeline.json: training.channels.train.prefix has no files in the drop: nothing lies below ${PLACE}train/; ` +
      'upload the files there, or correct the prefix',
  ],
  [
    'a manifest that is not there',
    [{ channels: { train: { manifest: 'train.manifest' } } }],
    `pipeline.json: training.channels.train.manifest is not in the drop: upload it to ${PLACE}train.manifest, or correct the name`,
  ],
  [
    'a channel of two sources',
    [{ channels: { training: { prefix: '', manifest: 'a' } } }],
    'pipeline.json: training.channels.training must name exactly one of prefix, manifest, augmentedManifest, names 2',
  ],
  [
    'FastFile with a manifest',
    [{ channels: { training: { manifest: 'a' } }, inputMode: 'FastFile' }],
    'pipeline.json: training.channels.training.inputMode must be File or Pipe for a manifest: FastFile mounts a ' +
      'prefix; name a prefix, or another input mode',
  ],
  [
    'FastFile of files that are not all of a folder',
    [{ inputMode: 'FastFile' }, { isOwnFolder: false }],
    'pipeline.json: training.channels.training.inputMode must be File or Pipe for this drop: its files are not all ' +
      'that lies below one prefix, and FastFile mounts a prefix; drop them into a folder of their own, or use File',
  ],
  [
    'an augmented manifest in File mode',
    [{ channels: { training: { augmentedManifest: 'a', attributes: ['x'] } } }],
    'pipeline.json: training.channels.training.inputMode must be Pipe for an augmented manifest: SageMaker streams its attributes',
  ],
  [
    'an augmented manifest without attributes',
    [{ channels: { training: { augmentedManifest: 'a' } }, inputMode: 'Pipe' }],
    'pipeline.json: training.channels.training.attributes is missing: name the attributes of each line that the ' +
      'script reads, in their order',
  ],
  [
    'compression of files',
    [{ channels: { training: { prefix: '', compression: 'Gzip' } } }],
    'pipeline.json: training.channels.training.compression must be None in the input mode File: SageMaker does that ' +
      'only for streams; set inputMode to Pipe, or leave it out',
  ],
  [
    'an entry point that is not there',
    [{ entryPoint: 'trian.py' }],
    `pipeline.json: training.entryPoint is not in ${SOURCE}: did you mean train.py?`,
  ],
  [
    'an entry point outside the source',
    [{ entryPoint: '../train.py' }],
    'pipeline.json: training.entryPoint must be a path in the source folder of A-Z a-z 0-9 . _ + - /, which is what ' +
      'the training toolkit starts: rename the script',
  ],
  [
    'a source without files',
    [{}, { source: { ...FINDINGS.source, files: [] } }],
    `pipeline.json: training.sourceDir has no files: put the source into ${SOURCE}`,
  ],
  [
    'a source folder elsewhere',
    [{ sourceDir: '../other' }],
    'pipeline.json: training.sourceDir must be the name of a folder next to pipeline.json, such as code',
  ],
  [
    'a number beyond JSON',
    [{}, { job: { rate: Number.POSITIVE_INFINITY } }],
    'job.json: hyperparameters.rate must be a number that JSON can hold, is larger than that: write it as a string',
  ],
  [
    'an integer that loses its last digits',
    [{ hyperparameters: { seeds: [12345678901234567000] } }],
    'pipeline.json: training.hyperparameters.seeds must be an integer up to 2^53 in JSON, and would be sent as ' +
      '12345678901234567000: write it as a string',
  ],
  [
    'a hyperparameter that is too long',
    [{ hyperparameters: { text: 'x'.repeat(2_499) } }],
    'pipeline.json: training.hyperparameters.text must have at most 2500 characters as JSON, has 2501: SageMaker ' +
      'takes no more; put it into a file of the source folder',
  ],
  [
    'a hyperparameter of the toolkit',
    [{ hyperparameters: { sagemaker_program: 'x' } }],
    'pipeline.json: training.hyperparameters.sagemaker_program is a name of the training toolkit, and this ' +
      'application sets its values: rename it',
  ],
  [
    'a metric that is no RE2',
    [{ metrics: { loss: '(?=loss) ([0-9.]+)' } }],
    'pipeline.json: training.metrics.loss must be an RE2 regular expression (error parsing regexp: invalid or ' +
      'unsupported Perl syntax: `(?=`): https://github.com/google/re2/wiki/Syntax lists them, there is no look-ahead',
  ],
  [
    'a metric without a group',
    [{ metrics: { loss: 'loss: [0-9.]+' } }],
    'pipeline.json: training.metrics.loss must have a group for the value: write "loss: ([0-9.]+)" instead of "loss: [0-9.]+"',
  ],
  [
    'a metric that is too long',
    [{ metrics: { loss: `(${'x'.repeat(499)})` } }],
    'pipeline.json: training.metrics.loss must be an expression of 1 to 500 characters, has 501: shorten it',
  ],
  [
    'a reserved variable',
    [{ environment: { SM_MODEL_DIR: '/tmp' } }],
    'pipeline.json: training.environment.SM_MODEL_DIR is a name that SageMaker and its training toolkit set: rename the variable',
  ],
  [
    'a tag of the application',
    [{ tags: { 'inferdrop:run': 'x' } }],
    'pipeline.json: training.tags.inferdrop:run must not begin with aws: or inferdrop:, which are kept for AWS and ' +
      'this application: rename it',
  ],
  [
    'a spot wait shorter than the run',
    [{ spot: { maxWaitMinutes: 30 } }],
    'pipeline.json: training.spot.maxWaitMinutes must be at least training.maxRunMinutes 60, is 30: waiting and ' +
      'training are counted together',
  ],
  [
    'a VPC that the stack does not have',
    [{ vpc: true }],
    'pipeline.json: training.vpc must be null or false: the stack has no VPC; deploy it with the parameters ' +
      'VpcSubnetIds and VpcSecurityGroupIds',
  ],
  [
    'price × time above the cap',
    [{ maxRunMinutes: 600, maxCostUsd: 2 }],
    'pipeline.json: training.maxCostUsd must be at least 2.304, is 2: 1 × ml.m5.xlarge for training.maxRunMinutes 600 ' +
      'may cost that much. Raise it, or lower training.maxRunMinutes or training.instances.count, or name smaller types',
  ],
  [
    'a quota that is too small',
    [{ instances: { count: 5 } }],
    'pipeline.json: training.instances.count must be within the quotas of the account, is 5: ml.m5.xlarge for ' +
      'training job usage is 4. Ask for more in Service Quotas, name other types, or lower training.instances.count',
  ],
  [
    'an evaluation set without files',
    [{ after: { evaluate: 'friday' } }, { evaluationProblem: 'must have files' }],
    'pipeline.json: training.after.evaluate must have files',
  ],
  [
    'promotion by a gate that nothing judges',
    [{ after: { promote: 'when-gate-passes' } }],
    'pipeline.json: training.after.promote needs training.after.evaluate, which is null: no gate is judged without an ' +
      'evaluation; name an evaluation set, or set it to "ask"',
  ],
  [
    'promotion of a model that the pipeline would not use',
    [{}, { model: { artifact: 's3://bucket/shared/m.tar.gz' } }],
    'pipeline.json: training.after.promote must be "never" where model.artifact is set: a promoted model is written ' +
      'next to pipeline.json, and the pipeline would go on with s3://bucket/shared/m.tar.gz; set model.artifact to null ' +
      'to promote',
  ],
  [
    'an evaluation beside another archive than the one that the pipeline runs',
    [
      { after: { evaluate: 'friday', promote: 'never' } },
      {
        model: { artifact: 's3://bucket/shared/m.tar.gz' },
        evaluation: { drop: 'friday', run: 'shapes/friday/000001', objects: 1 },
      },
    ],
    'pipeline.json: training.after.evaluate must be null if model.artifact is set: a trained model is compared with ' +
      'the archive next to pipeline.json, and the pipeline runs s3://bucket/shared/m.tar.gz; set one of them to null',
  ],
  [
    'parameter servers of PyTorch',
    [{ framework: 'pytorch', version: '2.6.0', distribution: { parameterServer: true } }],
    "pipeline.json: training.distribution must be null, mpi or torchDistributed for pytorch: parameter servers are TensorFlow's",
  ],
])('%s is refused', (_what, asked, line) => {
  const all = lines(...asked);
  expect(all).toContain(line);
  expect(all).toHaveLength(1);
});

const many = (count: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, value]));

/** Channels `n0`, `n1`, …, or one of another name, that have files. */
const inputsOf = (count: number, ...names: string[]): TrainingFindings['inputs'] =>
  new Map([...Object.keys(many(count, 0)), ...names].map((name) => [name, { objects: 1, bytes: 1 }]));
const filesOf = (count: number, ...names: string[]) =>
  [...Object.keys(many(count, 0)), ...names].map((path) => ({ path, bytes: 1, etag: 'e' }));

test.each<[string, Parameters<typeof judge>, string | RegExp]>([
  [
    'a variable that no shell knows',
    [{ environment: { 'a-b': '1' } }],
    /environment\.a-b must have a name of letters/,
  ],
  [
    'too many variables',
    [{ environment: many(101, 'x') }],
    /environment must have at most 100 variables.*has 101/,
  ],
  [
    'a tag with a key of other characters',
    [{ tags: { 'a#b': 'x' } }],
    /tags\.a#b must have a key of 1 to 128/,
  ],
  [
    'a tag with a value of other characters',
    [{ tags: { team: 'a#b' } }],
    /tags\.team must be at most 256 letters/,
  ],
  ['too many tags', [{ tags: many(46, 'x') }], /tags must have at most 45 tags, has 46/],
  [
    'a metric of two lines',
    [{ metrics: { 'loss\nof': 'a(b)' } }],
    /must have a name and an expression without line breaks and other control characters/,
  ],
  ['a metric without a name', [{ metrics: { '': 'a(b)' } }], /metrics\. must have a name of 1 to 255/],
  ['too many metrics', [{ metrics: many(41, 'a(b)') }], /metrics must have at most 40 metrics.*has 41/],
  [
    'a channel that is no folder',
    [{ channels: { 'a b': '' } }, { inputs: new Map([['a b', { objects: 1, bytes: 1 }]]) }],
    /channels\.a b must have a name of 1 to 64 of/,
  ],
  [
    'a channel named as that of the source',
    [
      { channels: { code: '' }, networkIsolation: true },
      { inputs: new Map([['code', { objects: 1, bytes: 1 }]]) },
    ],
    /channels\.code must have another name where training\.networkIsolation is true/,
  ],
  [
    'a prefix that is no folder',
    [{ channels: { training: 'train' } }],
    /prefix must be empty or end with a slash, so that it names one folder: write "train\/"/,
  ],
  [
    'attributes of a folder',
    [{ channels: { training: { prefix: '', attributes: ['x'] } } }],
    /attributes belongs to an augmentedManifest: remove it/,
  ],
  [
    'records of files',
    [{ channels: { training: { prefix: '', recordWrapper: 'RecordIO' } } }],
    /recordWrapper must be None in the input mode File/,
  ],
  ['no channel', [{ channels: {} }], /channels must have 1 to 20 channels, has 0/],
  [
    'a source with data in it',
    [
      {},
      {
        source: {
          ...FINDINGS.source,
          files: [{ path: 'train.py', bytes: 100_000_001, etag: 'e' }],
        },
      },
    ],
    /sourceDir must have at most 1000 files and 100000000 bytes, has 100000001 bytes: data belongs into a channel/,
  ],
  [
    'packages that an isolated container cannot install',
    [
      { networkIsolation: true },
      {
        source: {
          ...FINDINGS.source,
          files: [...FINDINGS.source.files, { path: 'requirements.txt', bytes: 1, etag: 'e' }],
        },
      },
    ],
    /requirements\.txt names packages that the container installs from the network/,
  ],
  [
    'torchrun of TensorFlow',
    [{ distribution: { torchDistributed: true } }],
    /distribution must be null, mpi or parameterServer for tensorflow/,
  ],
  [
    'torchrun of a shell script',
    [
      {
        framework: 'pytorch',
        version: '2.6.0',
        distribution: { torchDistributed: true },
        entryPoint: 'run.sh',
      },
      { source: { ...FINDINGS.source, files: [{ path: 'run.sh', bytes: 1, etag: 'e' }] } },
    ],
    /entryPoint must be a \.py file for torchDistributed/,
  ],
  [
    'an evaluation in the container of another framework',
    [
      { framework: 'pytorch', version: '2.6.0', after: { evaluate: 'friday' } },
      { evaluation: { drop: 'friday', run: 'clothes/friday/000001', objects: 1 } },
    ],
    /framework must be model\.framework tensorflow for an evaluation/,
  ],
  [
    'a metric with a long name',
    [{ metrics: { ['n'.repeat(256)]: 'a(b)' } }],
    /must have a name of 1 to 255 characters, has 256$/,
  ],
  [
    'a metric without an expression',
    [{ metrics: { loss: '' } }],
    /must be an expression of 1 to 500 characters, has 0/,
  ],
  [
    'a hyperparameter with a long name',
    [{ hyperparameters: { ['n'.repeat(257)]: 1 } }],
    /must have a name of at most 256 characters, has 257: shorten it/,
  ],
  [
    'too many channels',
    [{ channels: many(21, '') }, { inputs: inputsOf(21) }],
    /must have 1 to 20 channels, has 21/,
  ],
  [
    'a channel with the name of a folder',
    [{ channels: { '..': '' } }, { inputs: inputsOf(0, '..') }],
    /must have a name of 1 to 64/,
  ],
  [
    'a channel with the name of its folder',
    [{ channels: { '.': '' } }, { inputs: inputsOf(0, '.') }],
    /must have a name of 1 to 64/,
  ],
  [
    'a manifest that cannot be used',
    [
      { channels: { training: { manifest: 'm' } } },
      { inputs: new Map([['training', { objects: 0, bytes: 0, problem: 'is not a usable manifest: x' }]]) },
    ],
    /^pipeline\.json: training\.channels\.training\.manifest is not a usable manifest: x$/,
  ],
  [
    'an augmented manifest without lines',
    [
      { channels: { training: { augmentedManifest: 'm', attributes: ['x'] } }, inputMode: 'Pipe' },
      { inputs: new Map([['training', { objects: 0, bytes: 0 }]]) },
    ],
    /training\.channels\.training\.augmentedManifest is not in the drop/,
  ],
  [
    'a source of many files',
    [{}, { source: { ...FINDINGS.source, files: filesOf(1_000, 'train.py') } }],
    /sourceDir must have at most 1000 files and 100000000 bytes, has more: data belongs/,
  ],
  [
    'an entry point like no file',
    [
      { entryPoint: 'zzzzzzzz.sh' },
      {
        source: {
          ...FINDINGS.source,
          files: filesOf(12).map(({ path, ...file }) => ({ ...file, path: path.slice(1) })),
        },
      },
    ],
    /entryPoint is not in .*: it has 0, 1, 2, 3, 4, 5, 6, 7, 8, 9$/,
  ],
  ...['./train.py', 'a/./train.py', 'a/../train.py', '-train.py', 'a b.py'].map(
    (entryPoint): [string, Parameters<typeof judge>, RegExp] => [
      `the entry point ${entryPoint}`,
      [{ entryPoint }],
      /entryPoint must be a path in the source folder of/,
    ],
  ),
  ...['', '.', 'a/.', 'a/../b', 'a//b', '/a', 'a/'].map(
    (sourceDir): [string, Parameters<typeof judge>, RegExp] => [
      `the source folder "${sourceDir}"`,
      [{ sourceDir }],
      /sourceDir must be the name of a folder next to pipeline\.json/,
    ],
  ),
  [
    'a Python that the image lacks',
    [{ pyVersion: 'py37', instances: { types: ['ml.m5.xlarge', 'ml.c5.xlarge'] } }],
    /^pipeline\.json: training\.pyVersion must be py310 for tensorflow 2\.12$/,
  ],
  [
    'an unknown price where only a day is bounded',
    [{ instances: { types: ['ml.m99.xlarge'] }, maxCostUsd: null }],
    /training\.instances\.types cannot be held within limits\.maxCostUsdPerDay/,
  ],
  [
    'the price of the dearest type',
    [{ instances: { types: ['ml.m5.xlarge', 'ml.m5.2xlarge'], count: 2 }, maxCostUsd: 0.9 }],
    /must be at least 0\.9216, is 0\.9: 2 × ml\.m5\.xlarge or ml\.m5\.2xlarge for/,
  ],
  [
    'quotas that are all too small',
    [
      { instances: { types: ['ml.m5.xlarge', 'ml.c5.xlarge'], count: 2 } },
      {
        quotas: new Map(
          ['ml.m5.xlarge', 'ml.c5.xlarge'].map((type, at) => [`${type} for training job usage`, at]),
        ),
      },
    ],
    /is 2: ml\.m5\.xlarge for training job usage is 0, ml\.c5\.xlarge for training job usage is 1\. Ask/,
  ],
])('%s is refused', (_what, asked, line) => {
  expect(lines(...asked)).toEqual([expect.stringMatching(line)]);
});

test('each type that cannot train is named, and a version that no type can have is named once', () => {
  const types = ['ml.c7g.xlarge', 'ml.m5.xlarge', 'ml.c6g.xlarge'];
  const free = { limits: { maxCostUsdPerDay: null } };
  const fieldsOf = (training: object) =>
    judge({ maxCostUsd: null, ...training }, free).problems.map(({ field }) => field);
  expect(fieldsOf({ instances: { types } })).toEqual([
    'training.instances.types.0',
    'training.instances.types.2',
  ]);
  expect(fieldsOf({ version: '9.9.9', instances: { types: ['ml.m5.xlarge', 'ml.c5.xlarge'] } })).toEqual([
    'training.version',
  ]);
});

test.each<[string, ...Parameters<typeof judge>]>([
  ['as many variables as SageMaker takes', { environment: many(100, 'x') }],
  ['as many hyperparameters', { hyperparameters: many(90, 'x') }],
  [
    'the longest hyperparameter',
    { hyperparameters: { ['n'.repeat(256)]: 'x'.repeat(2_498), empty: { nested: [null, 1.5] } } },
  ],
  ['as many tags, whatever is within their keys', { tags: { ...many(44, 'x'), 'my-aws:team': 'x' } }],
  ['as many metrics', { metrics: many(40, 'a(b)') }],
  ['the longest metric', { metrics: { ['n'.repeat(255)]: `(${'x'.repeat(498)})` } }],
  ['as many channels', { channels: many(20, '') }, { inputs: inputsOf(20) }],
  ['dots in the name of a channel', { channels: { '..a..': '' } }, { inputs: inputsOf(0, '..a..') }],
  [
    'streams that are decompressed and wrapped',
    {
      channels: { training: { prefix: '', compression: 'Gzip', recordWrapper: 'RecordIO' } },
      inputMode: 'Pipe',
    },
  ],
  ['files that are not all of a folder, copied', {}, { isOwnFolder: false }],
  ['a mounted folder', { inputMode: 'FastFile' }],
  ['a thousand files of source', {}, { source: { ...FINDINGS.source, files: filesOf(999, 'train.py') } }],
  [
    'a hundred megabytes of source',
    {},
    { source: { ...FINDINGS.source, files: [{ path: 'train.py', bytes: 100_000_000, etag: 'e' }] } },
  ],
  [
    'scripts in folders',
    { sourceDir: 'code/v1..2', entryPoint: 'a.b/c+d.py' },
    { source: { ...FINDINGS.source, files: [{ path: 'a.b/c+d.py', bytes: 1, etag: 'e' }] } },
  ],
  ['a cap that the quote just fits', { maxCostUsd: 0.2304 }],
  ['no cap', { maxCostUsd: null }],
  ['a quota that just suffices', { instances: { count: 4 } }],
  ['waiting for spot capacity as long as it may run', { spot: { maxWaitMinutes: 60 } }],
  ['a VPC that the stack has', { vpc: true }, { stack: { vpc: { subnets: ['s'], securityGroups: ['g'] } } }],
  [
    'Horovod named in a text',
    { version: '2.19.0' },
    { source: { ...FINDINGS.source, texts: new Map([['requirements.txt', 'import horovod']]) } },
  ],
])('%s is allowed', (_what, ...asked) => {
  expect(lines(...asked)).toEqual([]);
});

test("names of hyperparameters are SageMaker's, too", () => {
  expect(lines({ hyperparameters: { 'a\u0000b': 1 } })).toHaveLength(1);
  expect(lines({ hyperparameters: { text: 'a\u0000b' } })[0]).toMatch(/must have no NUL/);
});

test('everything that is wrong is said at once', () => {
  expect(
    judge(
      {
        version: '9.9',
        entryPoint: 'other.py',
        channels: { train: 'train/' },
        hyperparameters: { sagemaker_region: 1 },
        metrics: { loss: '(' },
        spot: { maxWaitMinutes: 1 },
        after: { evaluate: 'friday', promote: 'when-gate-passes' },
      },
      { inputs: new Map(), evaluationProblem: 'must have files' },
    ).problems.map(({ field }) => field),
  ).toEqual([
    'training.version',
    'training.entryPoint',
    'training.hyperparameters.sagemaker_region',
    'training.channels.train.prefix',
    'training.metrics.loss',
    'training.spot.maxWaitMinutes',
    'training.after.evaluate',
  ]);
});

test("an image of one's own is taken as it is, and what it has is not judged", () => {
  const texts = new Map([['train.py', 'import horovod\n']]);
  expect(judge({ image: 'own:1', version: '9.9' }, { source: { ...FINDINGS.source, texts } })).toMatchObject({
    problems: [],
    image: { uri: 'own:1', horovod: null },
  });
});

test('Horovod that requirements.txt installs, or that only a text names, is not reported as missing', () => {
  const withText = (texts: [string, string][]) =>
    lines({ version: '2.19.0' }, { source: { ...FINDINGS.source, texts: new Map(texts) } });
  expect(
    withText([
      ['train.py', 'import horovod'],
      ['requirements.txt', 'numpy\nhorovod==0.28.1\n'],
    ]),
  ).toEqual([]);
  expect(withText([['train.py', '# we do not import horovod\nx = "import horovod"']])).toEqual([]);
});

test('Horovod that a script beside the entry point imports is missing only where the entry point uses that script', () => {
  const named = (entry: string) =>
    lines(
      { version: '2.19.0' },
      {
        source: {
          ...FINDINGS.source,
          texts: new Map([
            ['train.py', entry],
            ['lib/steps.py', 'from .ranks import size'],
            ['lib/ranks.py', 'def size():\n    import horovod.torch as hvd'],
          ]),
        },
      },
    ).join();
  expect(named('from mpi4py import MPI')).toBe('');
  expect(named('import lib.steps as steps')).toContain('lib/ranks.py imports Horovod');
  expect(named('import os, lib.ranks')).toContain('lib/ranks.py imports Horovod');
  expect(named('from lib import (\n    ranks,\n)')).toContain('lib/ranks.py imports Horovod');
});

test('an unknown price is refused while a bound depends on it', () => {
  const unpriced = { instances: { types: ['ml.m99.xlarge'] } };
  expect(lines(unpriced)).toEqual([
    expect.stringContaining('cannot be held within training.maxCostUsd 20: the price of ml.m99.xlarge'),
  ]);
  expect(judge({ ...unpriced, maxCostUsd: null }, { limits: { maxCostUsdPerDay: null } })).toMatchObject({
    problems: [],
    quoteUsd: null,
  });
});

test('a quota that only some types lack, or that could not be read, is noted', () => {
  const types = ['ml.m5.xlarge', 'ml.c5.xlarge'];
  const quotas = new Map([['ml.m5.xlarge for training job usage', 0]]);
  expect(judge({ instances: { types } }, { quotas })).toMatchObject({
    problems: [],
    notes: [expect.stringContaining('ml.m5.xlarge for training job usage is 0')],
  });
  expect(judge({}, { quotas: undefined }).notes).toEqual([expect.stringContaining('could not be read')]);
  const spot = { maxWaitMinutes: 60 };
  const ofSpot = new Map([['ml.m5.xlarge for spot training job usage', 0]]);
  expect(lines({ spot }, { quotas: ofSpot })).toEqual([
    expect.stringContaining('spot training job usage is 0'),
  ]);
});

test('spot capacity is quoted at the price that it cannot exceed', () => {
  const price =
    'spot capacity is quoted at the on-demand price, which it never exceeds; what is billed is counted when the job has ended';
  const spot = { maxWaitMinutes: 60 };
  expect(judge({ spot }).notes).toEqual([price]);
  expect(judge({ spot, checkpoints: false }).notes).toEqual([
    price,
    'training.checkpoints is false: an interrupted spot job begins again',
  ]);
});

const shards = (count: number, distribution = 'ShardedByS3Key') => ({
  instances: { count },
  channels: { training: { prefix: '', distribution } },
});
const torchrun = (types: string[]) => ({
  framework: 'pytorch',
  version: '2.6.0',
  distribution: { torchDistributed: true },
  instances: { types },
  maxCostUsd: null,
});
const FREE = { limits: { maxCostUsdPerDay: null }, quotas: new Map() };

test.each<[string, Parameters<typeof judge>, string[]]>([
  [
    'a parameter server of one host',
    [{ distribution: { parameterServer: true } }],
    ['with one host SageMaker starts no parameter server: only the script runs'],
  ],
  ['parameter servers of two', [{ distribution: { parameterServer: true }, instances: { count: 2 } }], []],
  [
    'torchrun on CPUs',
    [torchrun(['ml.m5.xlarge']), FREE],
    ['torchrun starts one process a host where there is no GPU'],
  ],
  ['torchrun on GPUs', [torchrun(['ml.g5.xlarge', 'ml.g4dn.xlarge']), FREE], []],
  [
    'fewer objects than hosts',
    [shards(3)],
    ['the channel training has 2 objects for 3 hosts: some hosts get none'],
  ],
  ['as many objects as hosts', [shards(2)], []],
  ['fewer objects than hosts, all on each', [shards(3, 'FullyReplicated')], []],
])('%s is noted where it does less than one may think', (_, asked, notes) => {
  expect(judge(...asked)).toMatchObject({ notes, problems: [] });
});
