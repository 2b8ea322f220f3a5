import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzip } from '../../packages/laptop/lambda/unzip.ts';
import { zip } from '../../packages/laptop/test/support/local-messaging.ts';
import type { Laptop } from './laptop.ts';

const STACK = 'inferdrop-dev';
/** As esbuild leaves `MAX_OBJECTS` of split-jobs.ts: a job takes no more inputs. */
const MAX_OBJECTS = /Math\.min\(5e5,/g;

/**
 * Deploys the stack once more with a function `plan-run` in which one number is another: a job takes `objects` inputs
 * instead of 500,000. So a few files make a run of several jobs; all the rest is what is always deployed.
 */
export async function deployShortJobs({ stack }: Laptop, objects: number): Promise<void> {
  const { template, parameters, outputs } = stack.find(STACK);
  const bucket = outputs.find(({ key }) => key === 'ServerlessDeploymentBucketName')!.value;
  const [, usual] = /"S3Key":\s*"([^"]+\/plan-run\.zip)"/.exec(template)!;
  const short = usual!.replace('plan-run.zip', `plan-run-${objects}.zip`);
  const files = await unzipped((await stack.objects.read(bucket, usual!))!);
  const code = files['index.mjs']!;
  const found = code.match(MAX_OBJECTS)?.length ?? 0;
  if (found !== 1) throw new Error(`plan-run must have one ${MAX_OBJECTS.source}, has ${found}`);
  const changed = { ...files, 'index.mjs': code.replace(MAX_OBJECTS, `Math.min(${objects},`) };
  await stack.objects.write(bucket, short, await zip(changed));
  await stack.deploy({ stackName: STACK, template: template.replace(usual!, short), parameters });
}

async function unzipped(archive: Buffer): Promise<Record<string, string>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-bundle-'));
  try {
    await unzip(archive, folder);
    const names = await readdir(folder);
    const files = names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const);
    return Object.fromEntries(await Promise.all(files));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
