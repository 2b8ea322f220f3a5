import { join } from 'node:path';
import type { HostFolders } from './training-request.ts';

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

/** Where a host's three configuration files lie. */
export function configFolder(optMl: string): string {
  return join(optMl, 'input', 'config');
}

/**
 * A text with the container's own folder replaced by the host's. The SDK sends `model_dir="/opt/ml/model"` with MPI; on this
 * machine `/opt/ml` is elsewhere, and different for each host.
 */
export function toHostPaths(text: string, optMl: string): string {
  return text.replaceAll(/(?<![\w./-])\/opt\/ml(?![\w.-])/g, () => optMl);
}
