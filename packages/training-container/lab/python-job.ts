import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { prepareHosts } from '../prepare-hosts.ts';
import { runHosts } from '../run-hosts.ts';
import type { HostFolders, TrainingEnd, TrainingRequest } from '../training-request.ts';

export interface PythonJob {
  readonly folders: readonly HostFolders[];
  readonly end: TrainingEnd;
  readonly lines: readonly (readonly [host: string, text: string])[];
  /** What a host printed. */
  said(host: string): string;
}

export interface PythonJobOptions extends Partial<TrainingRequest> {
  readonly python: string;
  /** A file of `scripts/`, or Python. */
  readonly script: string;
  /** Puts channels onto the hosts. */
  readonly fill?: (folders: readonly HostFolders[]) => Promise<void>;
  readonly onLine?: (host: string, text: string, stop: () => void) => void;
}

/** Runs a job with one script to its end. */
export async function pythonJob({ script, fill, onLine, ...more }: PythonJobOptions): Promise<PythonJob> {
  const folder = await mkdtemp(join(tmpdir(), 'inferdrop-training-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const request: TrainingRequest = {
    mode: 'portable',
    name: 'job-1',
    arn: 'arn:aws:sagemaker:us-east-1:000000000000:training-job/job-1',
    region: 'us-east-1',
    framework: 'pytorch',
    environmentsDir: join(folder, 'environments'),
    root: join(folder, 'job'),
    hostCount: 1,
    instanceType: 'ml.m5.xlarge',
    gpusPerHost: 0,
    channels: [],
    environment: {},
    networkIsolation: false,
    graceMs: 30_000,
    ...more,
    hyperparameters: { sagemaker_program: '"train.py"', ...more.hyperparameters },
  };
  const folders = await prepareHosts(request);
  for (const { code } of folders) {
    const file = join(code, 'train.py');
    if (script.endsWith('.py'))
      await cp(fileURLToPath(new URL(`./scripts/${script}`, import.meta.url)), file);
    else await writeFile(file, script);
  }
  await fill?.(folders);
  const lines: (readonly [string, string])[] = [];
  const stop = new AbortController();
  const log = {
    line(host: string, text: string): void {
      lines.push([host, text]);
      onLine?.(host, text, () => stop.abort());
    },
  };
  const end = await runHosts(request, folders, log, stop.signal);
  const said = (host: string): string =>
    lines
      .filter(([from, text]) => from === host && !/^(?:Invoking script|training packages: )/.test(text))
      .map(([, text]) => text)
      .join('\n');
  return { folders, end, lines, said };
}
