import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `os.tmpdir()` reads, on any system. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];

/**
 * Gives the test processes, and what they start, a temporary folder of their own, and removes it when the last test has ended: whatever a
 * test leaves there, a killed process's folders included, goes with it. Set up by vitest's configurations.
 */
export default function giveTemporaryFolder(): () => void {
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  const folder = mkdtempSync(join(tmpdir(), 'inferdrop-tests-'));
  for (const name of VARIABLES) process.env[name] = folder;
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}
