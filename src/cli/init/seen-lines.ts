import type { InitLine } from '../../init/init-lines.ts';
import { plural } from '../../text/figures.ts';
import { toSize } from '../../text/size.ts';
import type { FolderInputs } from './folder-inputs.ts';
import { cellsOf, type Known, type PreparedModel } from './known.ts';

/** Lines about model and files, as far as they are known. */
export function seenLines({ options: { folder }, model, inputs }: Known): readonly InitLine[] {
  const about = modelWords(model);
  const { converted } = model;
  return [
    ...(about === '' ? [] : [{ name: 'model', value: about, reason: converted?.notes.join('; ') ?? '' }]),
    ...(converted === undefined
      ? []
      : [
          {
            name: '',
            value: `converted to ONNX (${toSize(converted.onnx.length)})`,
            reason: 'runs without Python, here and in AWS',
          },
        ]),
    ...(folder === undefined || inputs === undefined
      ? []
      : [{ name: `${folder.replace(/\/$/, '')}/`, value: folderWords(inputs), reason: '' }]),
  ];
}

function modelWords(model: PreparedModel): string {
  const { served, onnx } = model;
  const cells = onnx?.image === undefined ? cellsOf(model) : undefined;
  const classes = served?.scores[0]?.classes ?? onnx?.classes;
  return [
    ...(model.converted === undefined ? [] : [model.converted.what]),
    ...(cells === undefined ? [] : [`${plural(cells, 'number')} in`]),
    ...(onnx?.image === undefined ? [] : [`images of ${onnx.image.width} x ${onnx.image.height} in`]),
    ...(classes === undefined ? [] : [`${plural(classes, 'score')} out`]),
  ].join(', ');
}

function folderWords({ files, table, imageType }: FolderInputs): string {
  const [first] = files;
  if (imageType !== undefined) return plural(files.length, 'image');
  if (table === undefined || first === undefined) return plural(files.length, 'file');
  const records = plural(table.records, 'record');
  return files.length === 1
    ? `1 table, ${records}: ${table.what}`
    : `${plural(files.length, 'table')}; ${first.relative} has ${records}: ${table.what}`;
}
