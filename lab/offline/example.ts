/**
 * `npm run test:offline`: nothing reports home. The example once as it is, and once without a network, packaging included; both have
 * the same report, and the second has asked for no name, tried no address and left nothing in its home folder. Needs Linux, and the
 * right to make namespaces (`unshare`).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** Fields that differ between two runs: times, names of buckets, and what follows from them. */
const OF_ONE_RUN = ['createdAt', 'startedAt', 'seconds', 'costUsd', 'setup', 'jobs'];
const NAMESPACES = ['--map-root-user', '--net', '--mount'];

const work = mkdtempSync(path.join(tmpdir(), 'inferdrop-offline-'));
/** Nobody has packaged this stage, so that the example without a network does it. */
const stage = `offline-${process.pid}`;
const packaged = path.join(ROOT, 'build', 'package', stage);
try {
  process.exitCode = check();
} finally {
  rmSync(work, { recursive: true, force: true });
  rmSync(packaged, { recursive: true, force: true });
}

function check(): number {
  const probe = spawnSync('unshare', [...NAMESPACES, 'ip', 'link', 'set', 'lo', 'up'], { encoding: 'utf8' });
  if (probe.status !== 0) {
    process.stdout.write(
      `offline: skipped, this machine makes no network namespaces: ${probe.error?.message ?? probe.stderr}\n`,
    );
    return 0;
  }
  const outside = runExample('outside', 'dev', [path.join(ROOT, 'bin', 'inferdrop.mjs')]);
  if (outside.status !== 0) return outside.status ?? 1;
  const resolver = path.join(work, 'resolv.conf');
  writeFileSync(resolver, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  const alone = [path.join(import.meta.dirname, 'alone.ts'), resolver];
  const inside = runExample('inside', stage, alone, ['unshare', ...NAMESPACES]);
  if (inside.status !== 0) return inside.status ?? 1;

  const { code, names, unroutable } = JSON.parse(inside.stdout);
  const problems = [
    ...(code === 0 ? [] : [`the example ended with exit code ${code}`]),
    ...names.map((name: string) => `the name ${name} was looked up`),
    ...(unroutable === 0 ? [] : [`${unroutable} packets were for an address outside this machine`]),
    ...leftAtHome().map((file) => `the home folder has ${file}`),
    ...(code === 0 && reportOf('inside') !== reportOf('outside') ? ['its report is another one'] : []),
  ];
  for (const problem of problems) process.stdout.write(`offline: ${problem}\n`);
  if (problems.length === 0)
    process.stdout.write('offline: the same report without a network; no name looked up, no address tried\n');
  return problems.length === 0 ? 0 : 1;
}

function runExample(name: string, stage: string, script: readonly string[], within: readonly string[] = []) {
  const home = path.join(work, name, 'home');
  mkdirSync(home, { recursive: true });
  const [program = '', ...args] = [...within, process.execPath, ...script];
  const data = path.join(work, name, 'data');
  const options = ['start', '--once', '--json', '--port', '0', '--stage', stage, '--data', data];
  const { PATH } = process.env;
  return spawnSync(program, [...args, ...options], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // Nothing that switches reports off by accident, such as CI. inferdrop's own cache is no secret of the home folder.
    env: { PATH, HOME: home, TMPDIR: work, INFERDROP_CACHE: path.join(work, name, 'cache') },
  });
}

/** Files left by someone's tools, next to the compiled schema of serverless.yml, which serverless keeps there. */
function leftAtHome(): string[] {
  return readdirSync(path.join(work, 'inside', 'home'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(work, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(path.join('inside', 'home', '.serverless', 'artifacts')));
}

function reportOf(name: string): string {
  const folder = path.join(work, name, 'data', 'reports', 'fashion-mnist', 'example', '000001');
  const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8'));
  for (const field of OF_ONE_RUN) delete report[field];
  // Notes name the model by its bucket, which each stack makes for itself.
  return JSON.stringify(report).replaceAll(/s3:\/\/[^/]+\//g, 's3://BUCKET/');
}
