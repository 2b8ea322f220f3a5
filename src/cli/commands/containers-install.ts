import { describeEngine, ENGINE_NAMES, installEngine } from '@inferdrop/model-container/engine-environment';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop containers install`: builds the environment of a framework, once. */
export const command = defineCommand({
  usage: `inferdrop containers install tensorflow|pytorch
    The frameworks that --engine python and PyTorch images need, in an environment of their own.`,
  options: {},
  operand: 'framework',
  async run({ operand }, terminal) {
    const engine = ENGINE_NAMES.find((one) => one === operand);
    if (engine === undefined)
      throw new UsageError(`containers install takes ${ENGINE_NAMES.join(' or ')}, is ${operand}`);
    const { installed, dir, packages } = describeEngine(engine);
    if (installed) {
      terminal.print(`${engine} is installed in ${dir}`);
      return 0;
    }
    terminal.note(`Installing ${packages.join(', ')} into ${dir}`);
    const began = performance.now();
    await installEngine(engine, (line) =>
      terminal.interactive ? terminal.status(`  ${line.trim()}`) : terminal.note(`  ${line.trim()}`),
    );
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    terminal.print(`${engine} is installed in ${dir}, in ${seconds} s`);
    return 0;
  },
});
