import { shownShape } from '../../model/onnx/judge-onnx.ts';
import { plural } from '../../text/figures.ts';
import { toSize } from '../../text/size.ts';
import { defineCommand, JSON_FORM } from '../define-command.ts';
import { type InspectedArchive, inspectModel } from '../model/inspect-model.ts';
import type { InspectedSignature } from '../model/inspect-saved-model.ts';
import { visible } from '../show/terminal.ts';

/** `inferdrop model inspect`: the contents of an archive, and where they would run. */
export const command = defineCommand({
  needs: 'onnxruntime',
  about: 'Shows signatures, operations, handler and digest of a model, and what would run where.',
  exitCodes: { 0: 'it can be used', 1: 'it cannot be used, or not be read' },
  examples: ['inferdrop model inspect model.tar.gz', 'inferdrop model inspect saved_model'],
  page: 'docs/models.md',
  options: JSON_FORM,
  operand: 'FILE|FOLDER',
  async run({ options, operand: file }, terminal) {
    const archive = await inspectModel(file);
    if (options.json) terminal.print(JSON.stringify(archive, null, 2));
    else for (const line of toLines(archive)) terminal.print(visible(line));
    const usable = archive.problems.length === 0 && archive.models.every(({ damage }) => damage === null);
    return usable ? 0 : 1;
  },
});

function toLines(archive: InspectedArchive): string[] {
  const { handler } = archive;
  return [
    `${archive.file}  ${toSize(archive.sizeBytes)}, ${plural(archive.files, 'file')}`,
    `sha256   ${archive.sha256}`,
    ...archive.models.flatMap(({ name, version, tensorflowVersion, signatures, damage }) => [
      `model    ${name}, version ${version}, ${damage ?? `written by TensorFlow ${tensorflowVersion}`}`,
      ...signatures.flatMap(signatureLines),
    ]),
    ...(archive.served === null ? [] : [`served   ${archive.served}`]),
    ...(archive.onnx === null ? [] : onnxLines(archive.onnx)),
    `handler  ${handler.script ?? 'none'}${handler.requirements.length > 0 ? `, needs ${handler.requirements.join(', ')}` : ''}${handler.hasLib ? ', with packages in code/lib' : ''}`,
    ...archive.runs.map((sentence) => `runs     ${sentence}`),
    ...archive.problems.map((problem) => `problem  the archive ${problem}`),
  ];
}

function onnxLines(onnx: NonNullable<InspectedArchive['onnx']>): string[] {
  const opsets = Object.entries(onnx.opsets).map(([domain, version]) => `${domain} ${version}`);
  const { classes } = onnx;
  const values = (label: string, tensors: typeof onnx.inputs): string[] =>
    tensors.map(({ name, kind, type, shape }) =>
      kind === 'tensor'
        ? `    ${label} ${name}: ${type} ${shownShape(shape)}`
        : `    ${label} ${name}: ${type}`,
    );
  return [
    `model    ONNX, opset ${opsets.join(', ')}, format ${onnx.irVersion}${onnx.producer === '' ? '' : `, written by ${onnx.producer}`}`,
    ...values('input ', onnx.inputs),
    ...values('output', onnx.outputs),
    ...(classes === null
      ? []
      : [
          `    classes ${classes.slice(0, SHOWN_CLASSES).join(', ')}${classes.length > SHOWN_CLASSES ? `, … ${classes.length} in all` : ''}`,
        ]),
    ...(onnx.external.length === 0 ? [] : [`    weights in ${onnx.external.join(', ')}`]),
    `    ops    ${onnx.operators.join(' ')}`,
  ];
}

const SHOWN_CLASSES = 20;

function signatureLines({
  name,
  inputs,
  outputs,
  operations,
  unsupported,
  limits,
}: InspectedSignature): string[] {
  const specs = (label: string, tensors: typeof inputs): string[] =>
    tensors.map(
      (tensor) =>
        `    ${label} ${tensor.name}: ${tensor.dtype} ${tensor.shape === null ? 'of any shape' : `[${tensor.shape.join(', ')}]`}`,
    );
  return [
    `  signature ${name}`,
    ...specs('input ', inputs),
    ...specs('output', outputs),
    `    ops    ${operations.join(' ')}`,
    ...limits.map((sentence) => `    limit  ${sentence}`),
    ...(unsupported.length > 0 ? [`    not convertible: ${unsupported.join(' ')}`] : []),
  ];
}
