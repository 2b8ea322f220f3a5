import path from 'node:path';
import { findPart, type PartName, PARTS, titleOf } from '../../../scripts/parts.mjs';
import { defineCommand } from '../define-command.ts';
import { ROOT } from '../root-folder.ts';
import { toTable } from '../show/table.ts';

/** Names of the parts, in the order of their list. */
export const PART_NAMES: readonly PartName[] = ['onnxruntime', 'node', 'osls'];

/** `inferdrop parts`: lists what npm installs when it is first needed. */
export const command = defineCommand({
  about:
    'Lists the parts of inferdrop that npm installs when they are first needed, and where they are. INFERDROP_CACHE ' +
    'names another folder for them.',
  examples: ['inferdrop parts', 'inferdrop parts install onnxruntime'],
  page: 'docs/package.md',
  options: {},
  async run(_, terminal) {
    const parts = PART_NAMES.map((name) => ({ name, anchor: findPart(name, ROOT) }));
    const lines = toTable(parts, [
      { title: 'PART', text: ({ name }) => name },
      { title: 'PACKAGE', text: ({ name }) => titleOf(name, ROOT) },
      { title: 'INSTALLED', text: ({ anchor }) => (anchor === undefined ? 'no' : path.dirname(anchor)) },
      { title: 'WHAT IT DOES', text: ({ name }) => PARTS[name].does },
    ]);
    for (const line of lines) terminal.print(line);
    return 0;
  },
});
