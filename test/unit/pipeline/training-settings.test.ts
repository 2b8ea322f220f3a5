import { expect, test } from 'vitest';
import { parsePipelineConfig, parseTrainingJobConfig } from '../../../src/pipeline/parse-config.ts';

const LEAST = {
  model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
  labels: { classes: ['a', 'b'] },
};
const TRAINING = { framework: 'tensorflow', version: '2.12', entryPoint: 'train.py' };
const problems = (training: unknown): string[] =>
  parsePipelineConfig(JSON.stringify({ ...LEAST, training })).problems.map(
    ({ field, message }) => `${field} ${message}`,
  );

test('framework, version and entry point are all that must be said of a training', () => {
  expect(problems(TRAINING)).toEqual([]);
  expect(problems({}).map((line) => line.split(' ')[0])).toEqual([
    'training.framework',
    'training.version',
    'training.entryPoint',
  ]);
  const parsed = parsePipelineConfig(JSON.stringify({ ...LEAST, training: TRAINING }));
  expect('value' in parsed && parsed.value.training).toMatchObject({
    channels: { training: '' },
    inputMode: 'File',
    instances: { types: ['ml.m5.xlarge'], count: 1, volumeSizeInGB: 30 },
    after: { evaluate: null, promote: 'ask' },
  });
  expect(parsePipelineConfig(JSON.stringify(LEAST))).toMatchObject({ value: { training: null } });
});

test.each<[object, string]>([
  [{ version: 'latest' }, 'training.version must be a version such as 2.12.0, is "latest"'],
  [{ instances: { count: 0 } }, 'training.instances.count must be 1..100, is 0'],
  [{ inputMode: 'Tape' }, 'training.inputMode must be one of "File", "FastFile", "Pipe", is "Tape"'],
  [
    { distribution: { mpi: { processesPerHost: 0 } } },
    'training.distribution.mpi.processesPerHost must be 1..64 or null, is 0',
  ],
  [
    { channels: { train: { distribution: 'Sharded' } } },
    'training.channels.train.distribution must be one of "FullyReplicated", "ShardedByS3Key", is "Sharded"',
  ],
  [
    { after: { promote: 'always' } },
    'training.after.promote must be one of "ask", "when-gate-passes", "never", is "always"',
  ],
])('%j is refused', (changed, line) => {
  expect(problems({ ...TRAINING, ...changed })).toEqual([line]);
});

test('a drop of training data may say its input, its hyperparameters and when it is complete', () => {
  expect(
    parseTrainingJobConfig('{"hyperparameters": {"epochs": 3, "fast": true}, "drop": {"quietSeconds": 5}}')
      .problems,
  ).toEqual([]);
  expect(
    parseTrainingJobConfig('{"hyperparameters": {"epochs": [3]}, "training": {"instances": {}}}').problems,
  ).toMatchObject([
    { field: 'hyperparameters.epochs' },
    { field: 'training', message: expect.stringContaining('cannot be set by a drop') },
  ]);
});
