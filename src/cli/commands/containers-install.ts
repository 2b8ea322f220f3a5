import { checkFramework } from '@inferdrop/laptop/internal/check-framework';
import {
  describeEngine,
  ENGINE_NAMES,
  installEngine,
  requireBuildTools,
} from '@inferdrop/model-container/internal/engine-environment';
import { duration } from '../../text/figures.ts';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop containers install`: builds the environment of a framework, once. */
export const command = defineCommand({
  about:
    'Installs a framework, in an environment of its own, that --engine python, PyTorch images and training jobs need. ' +
    'Horovod is built from source: Python 3.9 to 3.11, cmake and a compiler of C++17 are needed.',
  examples: ['inferdrop containers install pytorch'],
  page: 'packages/model-container/README.md',
  options: {},
  operand: 'tensorflow|pytorch|tensorflow-horovod',
  async run({ operand }, terminal) {
    const engine = ENGINE_NAMES.find((one) => one === operand);
    if (engine === undefined)
      throw new UsageError(`containers install takes ${ENGINE_NAMES.join(' or ')}, is ${operand}`);
    const described = describeEngine(engine);
    const { installed, dir, packages, cost } = described;
    if (installed) {
      await checkFramework(described);
      terminal.print(`${engine} is installed in ${dir}`);
      return 0;
    }
    await requireBuildTools(engine);
    terminal.note(`Installing ${packages.join(', ')} into ${dir} (${cost})`);
    const began = performance.now();
    const made = await installEngine(engine, (line) =>
      terminal.interactive ? terminal.status(`  ${line.trim()}`) : terminal.note(`  ${line.trim()}`),
    );
    await checkFramework(made);
    const took = duration((performance.now() - began) / 1000);
    terminal.print(`${engine} is installed in ${dir}, in ${took}`);
    return 0;
  },
});
