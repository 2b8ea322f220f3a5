import { shownShape } from '../../frameworks/onnx/judge-onnx.ts';
import type { SourceRecord } from '../../models/source-record.ts';
import { plural, short } from '../../text/figures.ts';
import { toSize } from '../../text/size.ts';
import { defaulted, defineCommand, JSON_FORM, valued } from '../define-command.ts';
import { compareEngines, type EngineComparison, type OutputComparison } from '../model/compare-engines.ts';
import { type InspectedArchive, inspectModel } from '../model/inspect-model.ts';
import type { InspectedSignature } from '../model/inspect-saved-model.ts';
import { type Column, toTable } from '../show/table.ts';
import { visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop model inspect`: the contents of an archive, and where they would run. */
export const command = defineCommand({
  needs: 'onnxruntime',
  about:
    'Shows signatures, operations, handler and digest of a model, and what would run where. With --compare it also ' +
    'sends files to two containers, one with TensorFlow, and shows where their answers differ.',
  exitCodes: {
    0: 'it can be used',
    1: 'it cannot be used, or not be read; or answers differ by more than last digits',
  },
  examples: [
    'inferdrop model inspect model.tar.gz',
    'inferdrop model inspect saved_model',
    'inferdrop model inspect model.tar.gz --compare photographs',
  ],
  page: 'docs/models.md',
  options: {
    compare: valued('DIR', 'folder of files that this engine and TensorFlow are to answer'),
    limit: defaulted('100', 'N', 'files that are compared, drawn by their names'),
    ...JSON_FORM,
  },
  operand: 'FILE|FOLDER',
  async run({ options, operand: file }, terminal) {
    const limit = Number(options.limit);
    if (!Number.isInteger(limit) || limit < 1)
      throw new UsageError(`--limit must be a whole number from 1, is ${options.limit}`);
    const archive = await inspectModel(file);
    if (!options.json) for (const line of toLines(archive)) terminal.print(visible(line));
    const usable = archive.problems.length === 0 && archive.models.every(({ damage }) => damage === null);
    const note = (line: string): void => terminal.note(line);
    const compare =
      options.compare === undefined
        ? undefined
        : await compareEngines(archive, options.compare, { limit, note });
    if (options.json) terminal.print(JSON.stringify({ ...archive, ...(compare && { compare }) }, null, 2));
    else if (compare !== undefined)
      for (const line of comparisonLines(compare)) terminal.print(visible(line));
    return usable && compare?.outputs.every(({ changed }) => changed === 0) !== false ? 0 : 1;
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
    ...(archive.source === null ? [] : sourceLines(archive.source)),
    'handler  ' +
      `${handler.script ?? 'none'}${handler.requirements.length > 0 ? `, needs ${handler.requirements.join(', ')}` : ''}${handler.hasLib ? ', with packages in code/lib' : ''}`,
    ...archive.runs.map((sentence) => `runs     ${sentence}`),
    ...archive.problems.map((problem) => `problem  the archive ${problem}`),
  ];
}

function sourceLines({ file, library, converter, notes }: SourceRecord): readonly string[] {
  const note = notes.map((one) => `    note   ${one}`);
  return [`source   ${file} of ${library}, converted by ${converter}; it is below source/`, ...note];
}

const SHOWN_CHANGES = 3;
const OUTPUT_COLUMNS: readonly Column<OutputComparison>[] = [
  { title: 'OUTPUT', text: ({ output }) => output },
  { title: 'EQUAL', text: ({ equal, files }) => `${equal} of ${files}` },
  { title: 'LARGEST DIFFERENCE', text: largestDifference },
];

/** The largest difference of numbers, and what else changed, with the first files that show it. */
function largestDifference({ changes, changed, largest }: OutputComparison): string {
  const places = changes.slice(0, SHOWN_CHANGES).map(({ file, place, here, tensorflow }, at) => {
    const values = at === 0 ? `${here} here, ${tensorflow} in TensorFlow` : `${here}, ${tensorflow}`;
    return `${file}${place === '' ? '' : ` ${place}`} (${values})`;
  });
  const more = changed > places.length ? ', …' : '';
  return [
    ...(largest === null ? [] : [`${short(largest.absolute, 2)} (${largest.file}, ${largest.place})`]),
    ...(changed === 0 ? [] : [`${changed} changed: ${places.join(', ')}${more}`]),
  ].join('; ');
}

function comparisonLines({
  folder,
  files,
  of,
  tensorflow,
  image,
  outputs,
}: EngineComparison): readonly string[] {
  const other = tensorflow.startsWith(`${image}.`) ? '' : ` (the image has ${image})`;
  const some = files < of ? `${files} of ${plural(of, 'file')}` : plural(files, 'file');
  return [
    `Compared with TensorFlow ${tensorflow}${other} on ${some} of ${folder}`,
    ...toTable(outputs, OUTPUT_COLUMNS),
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
          '    classes ' +
            `${classes.slice(0, SHOWN_CLASSES).join(', ')}${classes.length > SHOWN_CLASSES ? `, … ${classes.length} in all` : ''}`,
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
