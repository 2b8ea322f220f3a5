import path from 'node:path';
import { findPart, installPart, titleOf } from '../../../scripts/parts.mjs';
import { defineCommand } from '../define-command.ts';
import { ROOT } from '../root-folder.ts';
import { UsageError } from '../usage-error.ts';
import { PART_NAMES } from './parts-list.ts';

/** `inferdrop parts install`: installs a part before it is needed. */
export const command = defineCommand({
  about:
    'Installs a part before it is needed, as for an image or a machine that will have no network. A command that ' +
    'needs a part installs it automatically.',
  examples: ['inferdrop parts install onnxruntime'],
  page: 'docs/package.md',
  options: {},
  operand: PART_NAMES.join('|'),
  async run({ operand }, terminal) {
    const name = PART_NAMES.find((one) => one === operand);
    if (name === undefined)
      throw new UsageError(`parts install takes ${PART_NAMES.join(' or ')}, is ${operand}`);
    const found = findPart(name, ROOT);
    const anchor = found ?? installPart(name, ROOT, (line) => terminal.note(line));
    terminal.print(`${titleOf(name, ROOT)} is installed in ${path.dirname(anchor)}`);
    return 0;
  },
});
