import { join } from 'node:path';
import type { HostFolders, TrainingRequest } from './training-request.ts';

/** Where a container has what SageMaker gives it. */
const OPT_ML = '/opt/ml';

/** Names of a job's hosts, `algo-1` first. */
export function hostNames(hostCount: number): readonly string[] {
  return Array.from({ length: hostCount }, (_, index) => `algo-${index + 1}`);
}

/** Where the parts of a host's `/opt/ml` lie. */
export function hostFolders(root: string, host: string): HostFolders {
  const optMl = join(root, host, 'opt', 'ml');
  return {
    host,
    optMl,
    data: join(optMl, 'input', 'data'),
    model: join(optMl, 'model'),
    outputData: join(optMl, 'output', 'data'),
    code: join(optMl, 'code'),
    checkpoints: join(optMl, 'checkpoints'),
  };
}

/** How a host looks to its own processes. */
export interface InsideView {
  readonly optMl: string;
  readonly code: string;
  /** Interface that Gloo and NCCL bind to. */
  readonly networkInterface: string;
}

/** An exact host has the container's own paths and interface; a portable one this machine's. */
export function insideView(
  { mode }: Pick<TrainingRequest, 'mode'>,
  { optMl, code }: Pick<HostFolders, 'optMl' | 'code'>,
  platform: NodeJS.Platform = process.platform,
): InsideView {
  return mode === 'exact'
    ? { optMl: OPT_ML, code: join(OPT_ML, 'code'), networkInterface: 'eth0' }
    : { optMl, code, networkInterface: platform === 'darwin' ? 'lo0' : 'lo' };
}

/** Where a host's three configuration files lie. */
export function configFolder(optMl: string): string {
  return join(optMl, 'input', 'config');
}

/**
 * A text with the container's own folder replaced by the host's. The SDK sends `model_dir="/opt/ml/model"` with MPI; a portable host
 * has `/opt/ml` elsewhere.
 */
export function toHostPaths(text: string, optMl: string): string {
  return text.replaceAll(/(?<![\w./-])\/opt\/ml(?![\w.-])/g, () => optMl);
}
