import { toSize } from '../../text/size.ts';
import { defineCommand } from '../define-command.ts';
import { inspectModel } from '../model/inspect-model.ts';
import { packModel } from '../model/pack-model.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop model pack`: a reproducible archive, checked against the containers' requirements. */
export const command = defineCommand({
  usage: `inferdrop model pack (--saved-model DIR | --pytorch FILE) [--code DIR] -o model.tar.gz
    An archive as the containers want it; the same input gives the same bytes.`,
  options: {
    'saved-model': { type: 'string' },
    pytorch: { type: 'string' },
    code: { type: 'string' },
    output: { type: 'string', short: 'o' },
  },
  async run({ options }, terminal) {
    const { 'saved-model': savedModel, pytorch, code, output } = options;
    if (output === undefined)
      throw new UsageError('model pack takes --saved-model DIR or --pytorch FILE, [--code DIR] and -o FILE');
    const names = await packModel({ savedModel, pytorch, code, output });
    const { sha256, sizeBytes, problems, models } = await inspectModel(output);
    for (const name of names) terminal.note(`  ${name}`);
    const damaged = models.flatMap(({ damage }) => damage ?? []);
    for (const problem of problems) terminal.note(`The archive ${problem}`);
    for (const damage of damaged) terminal.note(damage);
    terminal.print(`${output}  ${toSize(sizeBytes)}  sha256 ${sha256}`);
    return problems.length + damaged.length === 0 ? 0 : 1;
  },
});
