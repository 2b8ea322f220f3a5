import { bashCompletion, zshCompletion } from '../completion/bash-and-zsh.ts';
import { completedCommands } from '../completion/completed-command.ts';
import { fishCompletion } from '../completion/fish.ts';
import { defineCommand, type DefinedCommand } from '../define-command.ts';
import { UsageError } from '../usage-error.ts';

const SHELLS = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);

/** `inferdrop completion`: the script that lets a shell complete the commands of a table. */
export function completionOf(...table: Parameters<typeof completedCommands>): DefinedCommand {
  return defineCommand({
    about:
      'Prints a script with which the shell completes commands, options and their words. Names of pipelines and runs are not completed, ' +
      'since each Tab would have to ask the deployment for them.',
    examples: ['inferdrop completion bash', 'inferdrop completion fish'],
    page: 'docs/command-line.md',
    options: {},
    operand: [...SHELLS.keys()].join('|'),
    async run({ operand }, terminal) {
      const script = SHELLS.get(operand);
      if (script === undefined)
        throw new UsageError(`completion takes ${[...SHELLS.keys()].join(' or ')}, is ${operand}`);
      terminal.print(script(await completedCommands(...table)));
      return 0;
    },
  });
}
