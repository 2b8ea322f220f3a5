import type { Command } from '../command.ts';
import { bringUp, exportLines, untilInterrupted } from '../laptop-stack.ts';
import type { Machine } from '../laptop-stack.ts';
import { ALIAS_LINE } from '../shell-alias.ts';

/** `inferdrop up`: the stack on this machine, until Ctrl-C. */
export function up(machine: Machine): Command {
  return async (terminal) => {
    const stack = await bringUp(machine, terminal);
    terminal.print(`Ready at ${stack.endpoint}. For any AWS client:`);
    for (const line of exportLines(stack)) terminal.print(line);
    terminal.print(ALIAS_LINE);
    await untilInterrupted();
    terminal.note('Stopping…');
    await stack.close();
    return 0;
  };
}
