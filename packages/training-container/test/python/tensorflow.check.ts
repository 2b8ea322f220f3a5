import { buildEnvironment } from '@inferdrop/model-container/build-environment';
import { installEngine } from '@inferdrop/model-container/engine-environment';
import { runTool } from '@inferdrop/model-container/run-tool';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TrainingChannel } from '../../training-request.ts';
import { pythonJob } from './python-job.ts';

const BOTH = { 'algo-1': 0, 'algo-2': 0 };

test('Keras trains on what PipeModeDataset reads: exact counts in each epoch', async () => {
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

const python311 = (await runTool('python3.11', ['--version']).catch(() => ({ code: 1 }))).code === 0;

test.skipIf(!python311)(
  'parameter servers share one step among hosts (TensorFlow 2.15 needs a python3.11)',
  async () => {
    const python = await buildEnvironment({
      dir: join(process.env['INFERDROP_CACHE'] ?? '', 'containers', 'tensorflow-cpu-2.15.1'),
      base: 'python3.11',
      install: [`tensorflow${process.platform === 'darwin' ? '' : '-cpu'}==2.15.1`],
    });
    const { end, said } = await pythonJob({
      python,
      framework: 'tensorflow',
      hostCount: 2,
      hyperparameters: { sagemaker_parameter_server_enabled: 'true', model_dir: '"/opt/ml/model"' },
      script: 'estimator_servers.py',
    });
    expect(end).toEqual({ exitCodes: BOTH });
    // One step that both count: together they do not take 600 steps each.
    const steps = ['algo-1', 'algo-2'].map((host) => Number(/own steps (\d+)/.exec(said(host))?.[1]));
    expect(steps.every((own) => own > 0)).toBe(true);
    expect(steps.reduce((sum, own) => sum + own, 0)).toBeLessThan(1_000);
  },
);

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
