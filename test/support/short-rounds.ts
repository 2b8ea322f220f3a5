import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzip } from '../../packages/laptop/lambda/function-code.ts';
import { zip } from '../../packages/laptop/test/support/local-messaging.ts';
import type { Laptop } from './laptop.ts';

const STACK = 'inferdrop-dev';

/** A number of the bundle of `plan-run`, as esbuild leaves the code around it, and that code with another number. */
interface ChangedNumber {
  readonly name: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/**
 * Deploys the stack once more with a function `plan-run` in which one number is another: a first round has `objects`
 * inputs instead of those whose work takes as long as a job's start. All the rest is what is always deployed.
 */
export function deployShortRounds(laptop: Laptop, objects: number): Promise<void> {
  const pattern = /objectsOfRound:\(([\w$]+),([\w$]+)\)=>[\w$]+\([^,()]+,[\w$]+\(\1,\2\)\)/g;
  return deployPlanRun(laptop, {
    name: `rounds-${objects}`,
    pattern,
    replacement: `objectsOfRound:()=>${objects}`,
  });
}

async function deployPlanRun(
  { stack }: Laptop,
  { name, pattern, replacement }: ChangedNumber,
): Promise<void> {
  const { template, parameters, outputs } = stack.find(STACK);
  const bucket = outputs.find(({ key }) => key === 'ServerlessDeploymentBucketName')!.value;
  const [, usual] = /"S3Key":\s*"([^"]+\/plan-run\.zip)"/.exec(template)!;
  const short = usual!.replace('plan-run.zip', `plan-run-${name}.zip`);
  const files = await unzipped((await stack.objects.read(bucket, usual!))!);
  const code = files['index.mjs']!;
  const found = code.match(pattern)?.length ?? 0;
  if (found !== 1) throw new Error(`plan-run must have one ${pattern.source}, has ${found}`);
  const changed = { ...files, 'index.mjs': code.replace(pattern, replacement) };
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
