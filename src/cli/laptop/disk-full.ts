/** The last message of a command if a disk is full; Node names no file in the error of a write. */
export const DISK_FULL =
  'inferdrop: no space left on the disk: free some where the data is (--data, by default .inferdrop/) and in the temporary folder, and ' +
  'run the command again. A stack takes up what was under way';

/** Whether a write has failed because the disk, or the user's quota, is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
