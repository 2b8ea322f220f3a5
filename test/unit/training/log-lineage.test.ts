import { expect, test } from 'vitest';
import { logLineage } from '../../../src/training/log-lineage.ts';

function read(...lines: string[]) {
  const log = logLineage();
  for (const line of lines) log.add(line);
  return log.lineage();
}

test('a container says what runs and its packages, before the script says anything', () => {
  expect(
    read(
      '[sagemaker logs]: training runtime: PyTorch 2.13.0 / Python 3.11.7',
      'Successfully installed left-pad-1.0',
      'training packages: numpy==2.3.1 torch==2.13.0',
      'training runtime: of the script',
    ),
  ).toEqual({ runtime: 'PyTorch 2.13.0 / Python 3.11.7', packages: ['numpy==2.3.1', 'torch==2.13.0'] });
});

test('of an image of AWS, pip tells what requirements.txt has installed', () => {
  expect(read('Collecting wandb', 'Successfully installed click-8.1 wandb-0.17')).toEqual({
    runtime: null,
    packages: ['click-8.1', 'wandb-0.17'],
  });
  expect(read('loss: 1')).toEqual({ runtime: null, packages: [] });
});
