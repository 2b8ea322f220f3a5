import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installEngine } from '@inferdrop/model-container/internal/engine-environment';
import type { TrainingChannel } from '../training-request.ts';
import { pythonJob } from './python-job.ts';

const BOTH = { 'algo-1': 0, 'algo-2': 0 };

test('Keras trains on the records that PipeModeDataset reads: exact counts in each epoch', async () => {
  const { python } = await installEngine('tensorflow', () => undefined);
  const channel: TrainingChannel = {
    name: 'train',
    inputMode: 'Pipe',
    distribution: 'ShardedByS3Key',
    recordWrapper: 'RecordIO',
    open: async function* (host) {
      for (let at = host; at < 600; at += 2) yield bytesOf(`${at % 10} ${at}`);
    },
  };
  const { end, folders, said } = await pythonJob({
    python,
    framework: 'tensorflow',
    hostCount: 2,
    channels: [channel],
    script: 'keras_pipe.py',
  });
  expect(end).toEqual({ exitCodes: BOTH });
  expect(said('algo-1')).toContain('records [300, 300, 600]');
  expect(said('algo-2')).toContain('records [300, 300, 600]');
  expect(await readdir(join(folders[0]?.model ?? '', '1'))).toContain('saved_model.pb');
});

test('hosts share what their parameter servers hold', async () => {
  const { python } = await installEngine('tensorflow', () => undefined);
  const { end, said } = await pythonJob({
    python,
    framework: 'tensorflow',
    hostCount: 2,
    hyperparameters: { sagemaker_parameter_server_enabled: 'true' },
    script: 'parameter_servers.py',
  });
  expect(end).toEqual({ exitCodes: BOTH });
  expect([said('algo-1'), said('algo-2')]).toEqual([
    expect.stringContaining('count 100'),
    expect.stringContaining('count 100'),
  ]);
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
