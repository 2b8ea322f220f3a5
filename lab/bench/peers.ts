/**
 * The function of engine lambda beside Daft (getdaft.io) and Ray Data (ray.io), installed from PyPI, on the same images, model and machine, without a GPU:
 *
 *     node lab/bench/peers.ts [FOLDER] [--repeat 10] [--rounds 2]
 *
 * FOLDER is one of lab/bench/predict-shard.ts; its images are taken `--repeat` times. The peers read files; the function reads an S3 in memory, and writes its
 * answers there. All are measured when they have warmed up.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { pythonEnvironment } from '../python-environment.ts';
import { readOnnxSubject } from './transform/onnx-subject.ts';

const Cost = z.object({ seconds: z.number(), cpuSeconds: z.number() });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repeat: { type: 'string', default: '10' }, rounds: { type: 'string', default: '2' } },
});
const [folder = 'examples/onnx-fashion-mnist'] = positionals;
const { config, images, modelDir } = await readOnnxSubject(folder, Number(values.repeat));
mkdirSync('build', { recursive: true });
const files = mkdtempSync(path.join('build', 'bench-peers-'));
for (const [at, image] of images.entries())
  writeFileSync(path.join(files, `${String(at).padStart(7, '0')}.png`), image);
const python = path.join(pythonEnvironment('bench/peers'), 'python');
const script = path.join(import.meta.dirname, 'peers', 'classify.py');
const model = path.join(modelDir, 'model.onnx');
const shard = path.join(import.meta.dirname, 'predict-shard.ts');

const sides = {
  'predict-shard': () => run(process.execPath, [shard, folder, '--repeat', values.repeat, '--side', 'ours']),
  Daft: () => peer('daft'),
  'Ray Data': () => peer('ray'),
};
function peer(name: string): z.infer<typeof Cost> {
  return run(python, [script, path.resolve(files), model, String(config.model.images.scale), name]);
}
function run(program: string, args: readonly string[]): z.infer<typeof Cost> {
  return Cost.parse(JSON.parse(execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })));
}
try {
  const best = new Map<string, z.infer<typeof Cost>>();
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, side] of Object.entries(sides)) {
      const cost = side();
      const before = best.get(name);
      if (before === undefined || cost.cpuSeconds < before.cpuSeconds) best.set(name, cost);
    }
  console.log(`${folder}: ${images.length} images`);
  for (const [name, { seconds, cpuSeconds }] of best)
    console.log(
      `${name.padEnd(14)}${(images.length / seconds).toFixed(0).padStart(7)} images/s ${((cpuSeconds * 1_000) / images.length).toFixed(3).padStart(8)} ms of processor an image`,
    );
} finally {
  rmSync(files, { recursive: true, force: true });
}
