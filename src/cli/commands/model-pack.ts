import { inspectModel } from '../inspect-model.ts';
import type { Command } from '../command.ts';
import type { PackOptions } from '../pack-model.ts';
import { packModel } from '../pack-model.ts';
import { toSize } from '../size.ts';

/** `inferdrop model pack`: a reproducible archive, checked as the containers would read it. */
export function modelPack(options: PackOptions): Command {
  return async (terminal) => {
    const names = await packModel(options);
    const { sha256, sizeBytes, problems, models } = await inspectModel(options.output);
    for (const name of names) terminal.note(`  ${name}`);
    const damaged = models.flatMap(({ damage }) => damage ?? []);
    for (const problem of [...problems, ...damaged]) terminal.note(`The archive ${problem}`);
    terminal.print(`${options.output}  ${toSize(sizeBytes)}  sha256 ${sha256}`);
    return problems.length + damaged.length === 0 ? 0 : 1;
  };
}
