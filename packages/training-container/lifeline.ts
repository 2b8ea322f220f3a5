import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { makeFifo } from './make-fifo.ts';

/** Where a job's lifeline lies. */
export function lifelinePath(root: string): string {
  return join(root, 'lifeline');
}

/**
 * A FIFO that this program holds open while a job runs. torchrun and mpirun give their children process groups of their own; each
 * Python among them reads here, and exits when there's no writer anymore: after the job, and when this program is gone.
 *
 * @returns a function that cuts it; a second call does nothing
 */
export async function openLifeline(root: string): Promise<() => void> {
  await makeFifo(lifelinePath(root));
  // For reading as well, so that it opens without waiting for a reader.
  let descriptor: number | undefined = openSync(lifelinePath(root), constants.O_RDWR);
  return () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
}
