import { fork, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exactHostsProblem, requireExactHosts } from '../hosts/find-namespaces.ts';
import type { TrainingRequest } from '../training-request.ts';
import { printed, type StandInJob, standInJob } from './stand-in.ts';

const problem = await requireExactHosts().then(
  () => undefined,
  (error: unknown) => String(error),
);

const exactJob = (
  source: Readonly<Record<string, string>>,
  more: Partial<TrainingRequest> = {},
  modules = '',
): Promise<StandInJob> => standInJob(source, { mode: 'exact', ...more }, modules);

const TWO = { hostCount: 2 } as const;
const BOTH = { exitCodes: { 'algo-1': 0, 'algo-2': 0 } };

/** Command lines of this machine that contain a text. */
function running(text: string): readonly string[] {
  return spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('Z'));
}

/** Each host listens on 7777 and asks the other. */
const MEET = `
  const fs = require('node:fs'), net = require('node:net'), os = require('node:os');
  const me = os.hostname(), peer = me === 'algo-1' ? 'algo-2' : 'algo-1';
  let left = 2;
  const done = () => --left || process.exit();
  net.createServer((socket) => socket.end(me, done)).listen(7777);
  const ask = () => {
    const socket = net.connect(7777, peer);
    socket.on('error', () => setTimeout(ask, 20));
    socket.on('data', (answer) => { console.log('heard of ' + answer); done(); });
  };
  ask();
`;

describe.skipIf(problem !== undefined)(`exact hosts${problem === undefined ? '' : ` (${problem})`}`, () => {
  test('cannot change the settings of the machine', async () => {
    const before = await readFile('/proc/sys/kernel/core_pattern', 'utf8');
    const job = await exactJob({
      'train.py': `
        const fs = require('node:fs'), { spawnSync } = require('node:child_process');
        // With what stands there, so that a machine on which this fails is not changed.
        for (const file of ['/proc/sys/kernel/core_pattern', '/proc/sys/vm/swappiness'])
          try { fs.writeFileSync(file, fs.readFileSync(file)); console.log('wrote ' + file); } catch (error) { console.log(error.code); }
        console.log(spawnSync('mount', ['-o', 'remount,bind,rw', '/proc/sys']).status !== 0);`,
    });
    expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
    expect(printed(job)).toEqual(['EROFS', 'EROFS', 'true']);
    expect(await readFile('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
  });

  test('have a real /opt/ml, name, address and every port; the machine has none of it', async () => {
    const before = readdirSync('/opt');
    const job = await exactJob(
      {
        'train.py': `${MEET}
          fs.writeFileSync('/opt/ml/model/name', me);
          console.log(JSON.stringify([process.cwd(), process.argv.slice(2), os.networkInterfaces().eth0[0].address, process.env.SM_MODEL_DIR,
            process.env.SM_NETWORK_INTERFACE_NAME, process.env.GLOO_SOCKET_IFNAME, process.env.INFERDROP_TRAINING, fs.readdirSync('/opt').sort()]));`,
      },
      { ...TWO, hyperparameters: { model_dir: '"/opt/ml/model"' } },
    );
    expect(await job.run()).toEqual(BOTH);
    for (const [at, { host, model, optMl }] of job.folders.entries()) {
      expect(await readFile(join(model, 'name'), 'utf8')).toBe(host);
      expect((await stat(join(model, 'name'))).uid).toBe(process.getuid?.());
      const [first = '', ...rest] = printed(job, host)
        .toSorted((a, b) => (a < b ? 1 : -1))
        .reverse();
      expect(rest).toEqual([`heard of ${at === 0 ? 'algo-2' : 'algo-1'}`]);
      expect(JSON.parse(first)).toEqual([
        ...['/opt/ml/code', ['--model_dir', '/opt/ml/model'], `10.99.0.${at + 1}`, '/opt/ml/model'],
        ...['eth0', 'eth0', null, [...new Set([...before, 'ml'])].sort()],
      ]);
      const config = await readFile(join(optMl, 'input/config/resourceconfig.json'), 'utf8');
      expect(JSON.parse(config)).toMatchObject({ current_host: host, network_interface_name: 'eth0' });
    }
    expect(readdirSync('/opt')).toEqual(before);
    expect(running(job.request.root)).toEqual([]);
  });

  test('three jobs have the same names, addresses and ports at once', async () => {
    const jobs = await Promise.all([1, 2, 3].map(() => exactJob({ 'train.py': MEET }, TWO)));
    expect(await Promise.all(jobs.map((job) => job.run()))).toEqual([BOTH, BOTH, BOTH]);
  });

  test('a shell script, and a command of the job’s own, name /opt/ml', async () => {
    const script = await exactJob(
      { 'run.sh': '#!/bin/sh\necho "$1 $2" > /opt/ml/output/data/words\n' },
      { hyperparameters: { sagemaker_program: '"run.sh"', place: '/opt/ml/model' } },
    );
    expect(await script.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
    expect(await readFile(join(script.folders[0]!.outputData, 'words'), 'utf8')).toBe(
      '--place /opt/ml/model\n',
    );
    const command = await exactJob(
      {},
      { command: ['/bin/sh', '-c', 'pwd; hostname > "$0"', '/opt/ml/model/host'] },
    );
    expect(await command.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
    expect(printed(command)).toEqual(['/opt/ml/code']);
    expect(await readFile(join(command.folders[0]!.model, 'host'), 'utf8')).toBe('algo-1\n');
  });

  test('a channel in Pipe mode is read at its own path', async () => {
    const open = async function* (host: number, epoch: number): AsyncGenerator<AsyncIterable<Uint8Array>> {
      yield (async function* () {
        yield Buffer.from(`host ${host} epoch ${epoch}`);
      })();
    };
    const job = await exactJob(
      { 'run.sh': '#!/bin/sh\ncat /opt/ml/input/data/train_0; echo\n' },
      {
        ...TWO,
        hyperparameters: { sagemaker_program: '"run.sh"' },
        channels: [
          { name: 'train', inputMode: 'Pipe', distribution: 'FullyReplicated', recordWrapper: 'None', open },
        ],
      },
    );
    expect(await job.run()).toEqual(BOTH);
    expect([printed(job), printed(job, 'algo-2')]).toEqual([['host 0 epoch 0'], ['host 1 epoch 0']]);
  });

  test.each([
    { networkIsolation: false, expected: ['AWS of 127.0.0.1', 'ENETUNREACH'] },
    { networkIsolation: true, expected: ['ECONNREFUSED', 'ENETUNREACH'] },
  ])('hosts reach the stack and no other network: %j', async ({ networkIsolation, expected }) => {
    const server = createServer((request, response) =>
      response.end(`AWS of ${request.headers.host?.split(':')[0]}`),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const job = await exactJob(
      {
        'train.py': `const ask = async (url) => console.log(await fetch(url).then((answer) => answer.text(), (error) => error.cause.code));
          ask(process.env.AWS_ENDPOINT_URL).then(() => ask('http://192.0.2.1/'));`,
      },
      {
        networkIsolation,
        environment: { AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      },
    );
    expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
    expect(printed(job)).toEqual(expected);
  });

  test('a stop is SIGTERM to the scripts, and SIGKILL to all that is left after the grace', async () => {
    const stop = new AbortController();
    const job = await exactJob(
      {
        'train.py': `
          require('node:child_process').spawn('setsid', ['sleep', '31536001'], { stdio: 'ignore', detached: true });
          process.on('SIGTERM', () => {
            require('node:fs').writeFileSync('/opt/ml/model/saved', '');
            if (process.env.SM_CURRENT_HOST === 'algo-1') process.exit(4);
          });
          console.log('ready'); setInterval(() => {}, 1000);`,
      },
      { ...TWO, graceMs: 500 },
    );
    let ready = 0;
    job.onLine = (_host, text) => void (text === 'ready' && ++ready === 2 && stop.abort());
    expect(await job.run(stop.signal)).toEqual({ exitCodes: { 'algo-1': 4, 'algo-2': 137 } });
    for (const { model } of job.folders) expect(readdirSync(model)).toEqual(['saved']);
    expect(running('sleep 31536001')).toEqual([]);
    expect(running(job.request.root)).toEqual([]);
  });

  test('a script can mount nothing, and kills and halts nothing but its own host', async () => {
    const job = await exactJob(
      {
        'train.py': `
          const net = require('node:net');
          if (process.env.SM_CURRENT_HOST === 'algo-2') {
            process.on('SIGTERM', () => { console.log('asked to end'); process.exit(); });
            net.createServer().listen(7777);
          } else {
            const { status } = require('node:child_process').spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', '/opt/ml/model']);
            console.log(status === 0 ? 'mounted' : 'refused');
            const kill = () => net.connect(7777, 'algo-2', () => process.kill(-1, 'SIGKILL')).on('error', () => setTimeout(kill, 20));
            kill();
          }`,
      },
      TWO,
    );
    const end = await job.run();
    expect(end.exitCodes).toEqual({ 'algo-1': 137, 'algo-2': 0 });
    expect(printed(job)).toEqual(['refused']);
    expect(printed(job, 'algo-2')).toEqual(['asked to end']);
  });

  test('a host that a script has halted ends after the grace', async () => {
    const stop = new AbortController();
    const halted = await exactJob(
      {
        'train.py':
          `process.on('SIGTERM', () => {}); process.kill(-1, 'SIGSTOP'); console.log('halted'); setInterval(() => ` +
          `process.kill(-1, 'SIGSTOP'), 10)`,
      },
      { graceMs: 500 },
    );
    halted.onLine = (_host, text) => void (text === 'halted' && stop.abort());
    expect((await halted.run(stop.signal)).exitCodes).toEqual({ 'algo-1': 137 });
    expect(running(halted.request.root)).toEqual([]);
  });

  test('nothing is left where the program that started it is killed', async () => {
    const job = await exactJob(
      {
        'train.py': `require('node:child_process').spawn('setsid', ['sleep', '31536002'], { stdio: 'ignore' });
          if (process.env.SM_CURRENT_HOST === 'algo-2') process.kill(-1, 'SIGSTOP');
          console.log('ready'); setInterval(() => {}, 1000);`,
      },
      TWO,
    );
    const program = fork(new URL('./run-alone.ts', import.meta.url), { execArgv: [], stdio: 'ignore' });
    let ready = 0;
    await new Promise<void>((resolve) => {
      program.on('message', (line: string) => void (line === 'ready' && ++ready === 2 && resolve()));
      program.send({ request: job.request, folders: job.folders });
    });
    expect(running('sleep 31536002')).toHaveLength(2);
    program.kill('SIGKILL');
    const left = ['sleep 31536002', job.request.root];
    await expect.poll(() => left.flatMap((text) => running(text))).toEqual([]);
  });

  test('launchers name the hosts, their own ports and eth0', async () => {
    const servers = await exactJob(
      { 'train.py': 'console.log(process.env.TF_CONFIG)' },
      { ...TWO, framework: 'tensorflow', hyperparameters: { sagemaker_parameter_server_enabled: 'true' } },
    );
    expect(await servers.run()).toEqual(BOTH);
    const config = printed(servers, 'algo-2').find((line) => line.startsWith('{')) ?? '';
    expect(JSON.parse(config)).toMatchObject({
      cluster: { master: ['algo-1:2222'], ps: ['algo-1:2223', 'algo-2:2223'], worker: ['algo-2:2222'] },
    });
    const horovod = await exactJob(
      {
        'train.py': `/*\nimport horovod\n*/ console.log(process.env.HOROVOD_GLOO_RENDEZVOUS_ADDR + ' ' + process.env.HOROVOD_GLOO_IFACE)`,
      },
      { ...TWO, framework: 'tensorflow', hyperparameters: { sagemaker_mpi_enabled: 'true' } },
      'horovod\nimports horovod',
    );
    expect(await horovod.run()).toEqual(BOTH);
    expect(printed(horovod)).toContain('[1,mpirank:1,algo-2]<stdout>:algo-1 eth0');
  });

  test('mpirun, which starts all ranks on one host, is refused for several', async () => {
    const job = await exactJob(
      { 'train.py': 'from mpi4py import MPI' },
      { ...TWO, hyperparameters: { sagemaker_mpi_enabled: 'true' } },
      'mpi4py\nmpirun /usr/bin/mpirun',
    );
    await expect(job.run()).rejects.toThrow('cannot go from one exact host to another: train on one host');
    expect(job.lines).toEqual([]);
  });
});

describe('the refusal names the remedy', () => {
  const possible = { platform: 'linux', missing: {}, open: () => Promise.resolve() } as const;

  test('nothing is refused where the machine has namespaces', async () => {
    expect(await exactHostsProblem(possible)).toBeUndefined();
  });

  test('on another system', async () => {
    expect(await exactHostsProblem({ ...possible, platform: 'darwin' })).toBe(
      'exact hosts need namespaces of Linux, which darwin does not have: start the stack without --training-hosts exact',
    );
  });

  test('without the tools', async () => {
    const missing = { ip: 'iproute2', unshare: 'util-linux', nsenter: 'util-linux' };
    expect(await exactHostsProblem({ ...possible, missing })).toBe(
      'exact hosts need ip, unshare, nsenter in /usr/sbin, /usr/bin, /sbin, /bin, /run/current-system/sw/bin: install ' +
        'iproute2 util-linux, or start the stack without --training-hosts exact',
    );
  });

  test('where user namespaces are switched off', async () => {
    const open = (): Promise<void> =>
      Promise.reject(new Error('unshare: write failed /proc/self/uid_map: Operation not permitted'));
    expect(await exactHostsProblem({ ...possible, open })).toMatch(
      /^exact hosts need namespaces without root, which this machine refuses \(unshare: write failed .*sysctl kernel\.apparmor_restrict_unprivileged_userns=0"\), or start the stack without --training-hosts exact$/,
    );
  });
});
