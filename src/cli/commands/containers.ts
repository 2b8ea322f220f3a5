import {
  describeEngine,
  ENGINE_NAMES,
  installEngine,
} from '../../../local/sagemaker/containers/python-environments/engine-environment.ts';
import type { EngineName } from '../../../local/sagemaker/containers/python-environments/engine-environment.ts';
import type { Command } from '../command.ts';
import { toTable } from '../table.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop containers`: which frameworks are installed for the containers of this machine's stack. */
export function containersList(): Command {
  return async (terminal) => {
    const engines = ENGINE_NAMES.map((name) => describeEngine(name));
    const lines = toTable(engines, [
      { title: 'CONTAINER', text: ({ name }) => name },
      { title: 'PACKAGE', text: ({ packages }) => packages[0] ?? '' },
      { title: 'INSTALLED', text: ({ installed, dir }) => (installed ? dir : 'no') },
    ]);
    for (const line of lines) terminal.print(line);
    return 0;
  };
}

/** `inferdrop containers install`: builds the environment of a framework, once. */
export function containersInstall(name: string): Command {
  const engine = ENGINE_NAMES.find((one): one is EngineName => one === name);
  if (engine === undefined)
    throw new UsageError(`containers install takes ${ENGINE_NAMES.join(' or ')}, is ${name}`);
  return async (terminal) => {
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
  };
}
