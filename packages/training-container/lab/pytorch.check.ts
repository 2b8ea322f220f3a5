import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { installEngine } from '@inferdrop/model-container/internal/engine-environment';
import { isRunning } from '../test/is-running.ts';
import { pythonJob } from './python-job.ts';

const BOTH = { 'algo-1': 0, 'algo-2': 0 };
let python: string;

beforeAll(async () => {
  ({ python } = await installEngine('pytorch', () => undefined));
});

test('two hosts train one model over Gloo: equal weights, torch.save into a literal /opt/ml/model', async () => {
  const { end, folders, said } = await pythonJob({ python, hostCount: 2, script: 'torch_gloo.py' });
  expect(end).toEqual({ exitCodes: BOTH });
  const [weights] = /weights \S+/.exec(said('algo-1')) ?? [];
  expect(weights).toBeDefined();
  expect(said('algo-2')).toContain(weights);
  expect(said('algo-2')).toContain('rank 1 of 2 over gloo');
  expect(existsSync(join(folders[0]?.model ?? '', 'model.pth'))).toBe(true);
});

test('torchrun gives four processes of two hosts their ranks', async () => {
  const { end, said } = await pythonJob({
    python,
    hostCount: 2,
    hyperparameters: {
      sagemaker_torch_distributed_enabled: 'true',
      sagemaker_mpi_num_of_processes_per_host: '2',
    },
    script: `
import os, torch, torch.distributed as dist
dist.init_process_group("gloo")
one = torch.ones(1) * (dist.get_rank() + 1); dist.all_reduce(one)
print("rank", dist.get_rank(), "local", os.environ["LOCAL_RANK"], "sum", int(one))
dist.barrier(); dist.destroy_process_group()
`,
  });
  expect(end).toEqual({ exitCodes: BOTH });
  const ranks = [said('algo-1'), said('algo-2')].map((text) => text.match(/rank .*/g)?.sort());
  expect(ranks).toEqual([
    ['rank 0 local 0 sum 10', 'rank 1 local 1 sum 10'],
    ['rank 2 local 0 sum 10', 'rank 3 local 1 sum 10'],
  ]);
});

test('processes that torchrun puts into sessions of their own end with the job', async () => {
  const pids: number[] = [];
  const { end } = await pythonJob({
    python,
    graceMs: 200,
    hyperparameters: {
      sagemaker_torch_distributed_enabled: 'true',
      sagemaker_mpi_num_of_processes_per_host: '2',
    },
    script: `
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("worker", os.getpid(), os.getsid(0) == os.getpid())
while True: time.sleep(1)
`,
    onLine(_host, text, stop) {
      const pid = /^worker (\d+) True$/.exec(text)?.[1];
      if (pid !== undefined && pids.push(Number(pid)) === 2) stop();
    },
  });
  expect(end).toEqual({ exitCodes: { 'algo-1': 137 } });
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
});
