import { consoleOfStack } from '../console/console-of-stack.ts';
import { defineCommand } from '../define-command.ts';
import { bringUp, exportLines, ownExportLines, untilInterrupted } from '../laptop/laptop-stack.ts';
import { MACHINE_OPTIONS, toMachine } from '../laptop/machine-options.ts';
import { ALIAS_LINE } from '../laptop/shell-alias.ts';

/** `inferdrop up`: the stack on this machine, until Ctrl-C. */
export const command = defineCommand({
  needs: 'onnxruntime',
  about: 'Brings AWS up on this machine, until Ctrl-C; unlike start, it runs no example.',
  examples: ['inferdrop up --handlers python', `inferdrop up --limits '{"lambdaConcurrency": 10}'`],
  page: 'packages/laptop/README.md',
  options: MACHINE_OPTIONS,
  async run({ options }, terminal) {
    const pages = consoleOfStack();
    const stack = await bringUp({ ...toMachine(options), homePage: pages.homePage }, terminal);
    try {
      const needed =
        ownExportLines(stack, options.data).length === 1 ? 'the first line' : 'the first two lines';
      terminal.print(
        `Ready at ${stack.endpoint}. inferdrop needs ${needed} and the alias; other AWS clients need all exports:`,
      );
      for (const line of exportLines(stack)) terminal.print(line);
      terminal.print(ALIAS_LINE);
      await pages.open(options.stage, stack.endpoint, terminal);
      await untilInterrupted(terminal);
      terminal.note('Stopping…');
    } finally {
      await pages.close();
      await stack.close();
    }
    return 0;
  },
});
