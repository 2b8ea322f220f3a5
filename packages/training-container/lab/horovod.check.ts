import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { installEngine, requireBuildTools } from '@inferdrop/model-container/internal/engine-environment';
import { pythonJob } from './python-job.ts';

/** Why Horovod cannot be built on this machine; empty if it can. */
const lacking = await requireBuildTools('tensorflow-horovod').then(
  () => '',
  (error: unknown) => String(error),
);
if (lacking !== '') process.stderr.write(`Horovod is not tried: ${lacking}\n`);

let python: string;

beforeAll(async () => {
  if (lacking === '') ({ python } = await installEngine('tensorflow-horovod', () => undefined));
});

test.skipIf(lacking !== '')('two ranks on each of two hosts end with equal weights', async () => {
  const { end, said, folders } = await pythonJob({
    python,
    framework: 'tensorflow',
    hostCount: 2,
    hyperparameters: {
      sagemaker_mpi_enabled: 'true',
      sagemaker_mpi_num_of_processes_per_host: '2',
      sagemaker_mpi_custom_mpi_options:
        '"-verbose --NCCL_DEBUG=INFO -x OMPI_MCA_btl_vader_single_copy_mechanism=none"',
    },
    script: 'horovod_keras.py',
  });
  expect(end).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
  const lines = said('algo-1');
  expect(lines.match(/rank \d of 4, local .*/g)?.sort()).toEqual([
    'rank 0 of 4, local 0 of 2, cross 0 of 2, on algo-1',
    'rank 1 of 4, local 1 of 2, cross 0 of 2, on algo-1',
    'rank 2 of 4, local 0 of 2, cross 1 of 2, on algo-2',
    'rank 3 of 4, local 1 of 2, cross 1 of 2, on algo-2',
  ]);
  expect(lines.match(/loss fell True/g)).toHaveLength(4);
  const weights = lines.match(/weights \S+/g) ?? [];
  expect(weights).toHaveLength(4);
  expect(new Set(weights).size).toBe(1);
  expect(await readdir(join(folders[0]?.model ?? '', '1'))).toContain('saved_model.pb');
});
