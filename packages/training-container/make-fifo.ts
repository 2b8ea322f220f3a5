import { runTool } from '@inferdrop/model-container/internal/run-tool';

/** Makes a FIFO that only this user may open. Node has no call for it; `mkfifo` is part of every Unix. */
export async function makeFifo(path: string): Promise<void> {
  const { code, output } = await runTool('mkfifo', ['-m', '600', path]);
  if (code !== 0) throw new Error(`the pipe ${path} cannot be made: ${output}`);
}
