/** A program that runs a job and tells its lines to the test that will kill it. */
import { runHosts } from '../run-hosts.ts';
import type { HostFolders, TrainingRequest } from '../training-request.ts';

process.once('message', ({ request, folders }: { request: TrainingRequest; folders: HostFolders[] }) => {
  const log = { line: (_host: string, text: string): void => void process.send?.(text) };
  void runHosts(request, folders, log, new AbortController().signal);
});
