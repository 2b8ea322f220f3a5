import { toSize } from '../../text/size.ts';
import { defineCommand, valued } from '../define-command.ts';
import { packModel } from '../model/enter-model.ts';
import { inspectModel } from '../model/inspect-model.ts';

/** `inferdrop model pack`: a reproducible archive, checked against the containers' requirements. */
export const command = defineCommand({
  needs: 'onnxruntime',
  about:
    'Makes an archive as the containers want it, of a model that is recognized by its content; the same input gives ' +
    'the same bytes.',
  examples: [
    'inferdrop model pack export -o model.tar.gz',
    'inferdrop model pack model.pt --code code -o model.tar.gz',
    'inferdrop model pack model.onnx -o model.tar.gz',
  ],
  page: 'docs/your-model.md',
  options: {
    code: valued('DIR', 'folder that holds inference.py, for ONNX or only wheels/'),
    python: valued('PATH', 'Python that made the model, and may run it'),
    output: { type: 'string', short: 'o', value: 'FILE', required: true, text: 'the archive to write' },
  },
  operand: 'MODEL',
  async run({ options: { code, output, python }, operand: model }, terminal) {
    const names = await packModel({ model, code, output, python: { path: python } });
    const { sha256, sizeBytes, problems, models } = await inspectModel(output);
    for (const name of names) terminal.note(`  ${name}`);
    const damaged = models.flatMap(({ damage }) => damage ?? []);
    for (const problem of problems) terminal.note(`The archive ${problem}`);
    for (const damage of damaged) terminal.note(damage);
    terminal.print(`${output}  ${toSize(sizeBytes)}  sha256 ${sha256}`);
    return problems.length + damaged.length === 0 ? 0 : 1;
  },
});
