import { ClassList } from '../../../src/label/class-list.ts';
import { LabelFileUnreadable, labelRows } from '../../../src/label/label-rows.ts';
import { keyOfRow, TruthTable } from '../../../src/label/truth-in-file.ts';
import { truthByFolder } from '../../../src/label/truth-in-key.ts';
import type { DrawnFile } from './drawn-file.ts';

const DROP = 'incoming/PIPELINE/DROP/';
const PLACE = { bucket: 'BUCKET', prefix: DROP };

/** The class of each input of a drawn drop as a run reads it, undefined if it has none; and what the run says. */
export async function readAsRun(
  { classes, inputs, file, bytes }: DrawnFile,
  _isStated: boolean,
): Promise<{ readonly classes: readonly (number | undefined)[]; readonly told: string }> {
  const list = new ClassList(classes);
  let labelOf: (key: string) => string | undefined;
  if (bytes === null) labelOf = truthByFolder(DROP);
  else {
    const table = new TruthTable(
      inputs.map((name) => DROP + name),
      false,
    );
    try {
      for await (const rows of labelRows(file, chunksOf(bytes)))
        for (const row of rows) table.add({ ...row, key: keyOfRow(row.key, PLACE) });
    } catch (error) {
      if (!(error instanceof LabelFileUnreadable)) throw error;
      return { classes: inputs.map(() => undefined), told: error.message };
    }
    labelOf = (key) => table.lookUp(key, 0);
  }
  return { classes: inputs.map((name) => classOf(list, labelOf(DROP + name))), told: '' };
}

function classOf(list: ClassList, label: string | undefined): number | undefined {
  if (label === undefined || label === '' || !list.lists(label)) return undefined;
  return list.resolve(label);
}

async function* chunksOf(bytes: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(bytes, 'base64');
}
