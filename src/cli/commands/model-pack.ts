import { toSize } from '../../text/size.ts';
import { defineCommand } from '../define-command.ts';
import { inspectModel } from '../model/inspect-model.ts';
import { packModel } from '../model/pack-model.ts';

/** `inferdrop model pack`: a reproducible archive, checked against the containers' requirements. */
export const command = defineCommand({
  needs: 'onnxruntime',
  about:
    'Makes an archive as the containers want it, of a SavedModel, a PyTorch or an ONNX file; the same input gives the same bytes.',
  examples: [
    'inferdrop model pack --saved-model export -o model.tar.gz',
    'inferdrop model pack --pytorch model.pt --code code -o model.tar.gz',
    'inferdrop model pack --onnx model.onnx -o model.tar.gz',
  ],
  page: 'docs/your-model.md',
  options: {
    'saved-model': {
      type: 'string',
      value: 'DIR',
      text: 'folder that holds saved_model.pb; this, --pytorch or --onnx',
    },
    pytorch: { type: 'string', value: 'FILE', text: 'TorchScript, or what model_fn of inference.py loads' },
    onnx: { type: 'string', value: 'FILE', text: 'ONNX model; its weight files are also packed' },
    code: { type: 'string', value: 'DIR', text: 'folder that holds inference.py, for ONNX or wheels/ alone' },
    output: { type: 'string', short: 'o', value: 'FILE', required: true, text: 'the archive to write' },
  },
  async run({ options }, terminal) {
    const { 'saved-model': savedModel, pytorch, onnx, code, output } = options;
    const names = await packModel({ savedModel, pytorch, onnx, code, output });
    const { sha256, sizeBytes, problems, models } = await inspectModel(output);
    for (const name of names) terminal.note(`  ${name}`);
    const damaged = models.flatMap(({ damage }) => damage ?? []);
    for (const problem of problems) terminal.note(`The archive ${problem}`);
    for (const damage of damaged) terminal.note(damage);
    terminal.print(`${output}  ${toSize(sizeBytes)}  sha256 ${sha256}`);
    return problems.length + damaged.length === 0 ? 0 : 1;
  },
});
