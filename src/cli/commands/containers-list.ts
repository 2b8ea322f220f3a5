import { describeEngine, ENGINE_NAMES } from '@inferdrop/model-container/internal/engine-environment';
import { defineCommand } from '../define-command.ts';
import { toTable } from '../show/table.ts';

/** `inferdrop containers`: lists the frameworks that are installed for the containers of this machine's stack. */
export const command = defineCommand({
  about: 'Lists the frameworks for containers of the stack on this machine, and whether they are installed.',
  examples: ['inferdrop containers'],
  page: 'packages/model-container/README.md',
  options: {},
  async run(_, terminal) {
    const engines = ENGINE_NAMES.map((name) => describeEngine(name));
    const lines = toTable(engines, [
      { title: 'CONTAINER', text: ({ name }) => name },
      { title: 'PACKAGE', text: ({ packages }) => packages[0] ?? '' },
      { title: 'INSTALLED', text: ({ installed, dir }) => (installed ? dir : 'no') },
    ]);
    for (const line of lines) terminal.print(line);
    return 0;
  },
});
