import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type KeptRelease, keptReleaseFile } from '../test/support/kept-release.ts';

/**
 * Keeps the packaged application of a commit for `test/flow/upgrade.test.ts`: `node scripts/keep-release.ts COMMIT`. The packages
 * of the commit's own lockfile are installed in a folder of their own.
 */
const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('name the commit: node scripts/keep-release.ts COMMIT');
const root = path.resolve(import.meta.dirname, '..');
const folder = await mkdtemp(path.join(tmpdir(), 'release-'));
try {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  const make = `import('./scripts/package-application.ts').then((made) => made.packageApplication(process.cwd(), 'dev'))`;
  execFileSync(process.execPath, ['-e', make], { cwd: folder, stdio: 'inherit' });

  const packaged = path.join(folder, 'build', 'package', 'dev');
  const read = (...names: string[]): Promise<string> => readFile(path.join(packaged, ...names), 'utf8');
  const bundles = (await readdir(path.join(packaged, 'bundles'))).filter((name) => !name.endsWith('.zip'));
  const sources = bundles
    .sort()
    .map(async (name) => [name, await read('bundles', name, 'index.mjs')] as const);
  const release: KeptRelease = {
    bucketTemplate: await read('serverless', 'cloudformation-template-create-stack.json'),
    template: await read('serverless', 'cloudformation-template-update-stack.json'),
    functions: Object.fromEntries(await Promise.all(sources)),
    pipeline: await readFile(path.join(folder, 'examples', 'fashion-mnist', 'pipeline.json'), 'utf8'),
  };
  const text = Buffer.from(JSON.stringify(release));
  // The bundles share most of their code: a compression window over all of them reduces 9 MB to a fourteenth.
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  await writeFile(keptReleaseFile(commit), brotliCompressSync(text, { params }));
} finally {
  await rm(folder, { recursive: true, force: true });
}
