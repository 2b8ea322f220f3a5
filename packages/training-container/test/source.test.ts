import { expect, test } from 'vitest';
import { entryPointKind, entryPointProblem, scriptCommand } from '../entry-point.ts';
import type { TrainingRequest } from '../training-request.ts';
import { standInJob } from './stand-in.ts';

const refusal = async (
  source: Readonly<Record<string, string>>,
  more: Partial<TrainingRequest> = {},
): Promise<readonly string[]> => {
  const job = await standInJob(source, more);
  const error: unknown = await job.run().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(job.lines).toEqual([]);
  return error instanceof Error && error.name === 'TrainingRefused' ? error.message.split('\n') : [];
};

test.each(['train.py', 'a/b+c-d_e.py', '.hidden.sh', 'trainer.task'])(
  '%s may be an entry point',
  (program) => {
    expect(entryPointProblem(program)).toBeUndefined();
  },
);

test.each([
  '-c',
  '/bin/sh',
  'a b.py',
  '../train.py',
  'a/./b.py',
  'a//b',
  'train.py\n',
  "a'b",
  '',
  3n,
  null,
  undefined,
])('%s may not be an entry point', (program) => {
  expect(entryPointProblem(program)).toMatch(/^HyperParameters\.sagemaker_program must/);
});

test('kinds and commands are the toolkit’s', () => {
  expect(entryPointKind('run.sh', true)).toBe('command');
  expect(entryPointKind('train.py', true)).toBe('module');
  expect(entryPointKind('train.py', false)).toBe('script');
  expect(entryPointKind('train', false)).toBe('command');
  expect(scriptCommand('script', 'python', 'train.py', ['-n', '1'])).toEqual([
    'python',
    '--',
    'train.py',
    '-n',
    '1',
  ]);
  expect(scriptCommand('module', 'python', 'trainer.task.py', [])).toEqual(['python', '-m', 'trainer.task']);
  expect(scriptCommand('command', 'python', 'run.sh', ['--a', "it's"])).toEqual([
    '/bin/sh',
    '-c',
    `./run.sh --a 'it'"'"'s'`,
  ]);
});

test('an entry point that is not there is refused before anything starts', async () => {
  expect(await refusal({ 'other.py': '' })).toEqual([
    expect.stringMatching(
      /^HyperParameters\.sagemaker_program must name a file of the source folder, is "train\.py"/,
    ),
  ]);
});

test('with setup.py the entry point must be a module’s name, and torchrun takes none', async () => {
  const source = { 'setup.py': '', 'my-task.py': '' };
  expect(await refusal(source, { hyperparameters: { sagemaker_program: 'my-task.py' } })).toEqual([
    expect.stringContaining('must be a name that Python can import'),
  ]);
  const torchrun = { sagemaker_torch_distributed_enabled: 'true' };
  expect(await refusal({ 'setup.py': '', 'train.py': '' }, { hyperparameters: torchrun })).toEqual([
    expect.stringContaining('must be a Python script with torchrun'),
  ]);
});

test('requirements.txt is refused under network isolation', async () => {
  expect(await refusal({ 'train.py': '', 'requirements.txt': 'tqdm' }, { networkIsolation: true })).toEqual([
    expect.stringContaining('the job has EnableNetworkIsolation'),
  ]);
});

test('literal /opt/ml that would be opened in C++ or by a shell is reported with file and line', async () => {
  const source = {
    'train.py': [
      'import tensorflow as tf',
      '# tf.io.gfile.exists("/opt/ml/model")',
      'open("/opt/ml/model/notes.txt", "w")',
      'os.system("mkdir /opt/ml/model/code")',
      'np.save("/opt/ml/output/data/history.npy", history)',
      'model.save(',
      '    "/opt/ml/model/1",  # the version',
      ')',
      'files = tf.data.TFRecordDataset(os.path.join("/opt/ml/input/data", "train", "a.tfrecords"))',
      'model.fit(x, y, callbacks=[tf.keras.callbacks.ModelCheckpoint("/opt/ml/checkpoints/c-{epoch}.h5")])',
      'model.save(os.environ["SM_MODEL_DIR"])',
      'text = "model.save(" + "/opt/ml"',
    ].join('\n'),
    'lib/prepare.sh': '# /opt/ml\ncp -r "$1" /opt/ml/model\necho /opt/mlops /data/opt/ml',
  };
  expect(await refusal(source, { framework: 'tensorflow' })).toEqual([
    expect.stringMatching(/^lib\/prepare\.sh:2: a shell script names \/opt\/ml/),
    expect.stringMatching(/^train\.py:7: a call that opens files in C\+\+ names \/opt\/ml/),
    expect.stringMatching(/^train\.py:9: /),
    expect.stringMatching(/^train\.py:10: /),
  ]);
});

test.each<[Partial<TrainingRequest>, RegExp]>([
  [{ hyperparameters: { sagemaker_program: '' } }, /sagemaker_program must be a name/],
  [{ hyperparameters: { 'a=b': '1' } }, /must have no "="/],
  [{ hyperparameters: { text: '"a\\u0000b"' } }, /HyperParameters\.text must have no NUL/],
  [{ hyperparameters: { sagemaker_s3_output: '"s3://b"' } }, /output\/intermediate/],
  [
    {
      channels: [
        { name: 'train', inputMode: 'Pipe', distribution: 'FullyReplicated', recordWrapper: 'None' },
      ],
    },
    /channel train: `open`/,
  ],
])('a request that cannot run is refused when its hosts are prepared: %j', async (more, message) => {
  await expect(standInJob({}, more)).rejects.toThrow(message);
});
