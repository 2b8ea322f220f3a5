import { stat } from 'node:fs/promises';

/** Whether a path of this machine can be read. */
export function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
