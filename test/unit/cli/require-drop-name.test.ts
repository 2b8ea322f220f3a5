import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

test.each([
  ['drop', import.meta.dirname, '--pipeline', 'clothes'],
  ['train', 'clothes', '--data', import.meta.dirname],
])('%s refuses a name that the plan would refuse, before it connects', async (...command) => {
  const run = (name: string) => runCommandLine([...command, '--name', name], silentTerminal());
  await expect(run('..')).rejects.toThrow('--name must not be a step between folders, is "..":');
  await expect(run('a\nb')).rejects.toThrow('--name must have no line break');
  await expect(run('a/b')).rejects.toThrow('--name must be one key part without /, is a/b');
});
