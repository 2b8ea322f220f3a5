import { NamedInputs } from '../../../src/label/label-columns.ts';
import { LabelFileUnreadable } from '../../../src/label/label-row.ts';
import { labelRows } from '../../../src/label/label-rows.ts';
import { readLabels } from '../../../src/label/reading.ts';
import { keyOfRow, TruthTable } from '../../../src/label/truth-in-file.ts';
import { truthByFolder } from '../../../src/label/truth-in-key.ts';
import type { DrawnFile } from './drawn-file.ts';

const DROP = 'incoming/PIPELINE/DROP/';
const PLACE = { bucket: 'BUCKET', prefix: DROP };
const NUMBERS = { names: 'names', 0: 'index', 1: 'index-from-1' } as const;

/** The class of each input of a drop (undefined if it has no class), and why. */
interface RunReading {
  readonly classes: readonly (number | undefined)[];
  readonly told: string;
}

/** Reads a drawn drop as a run does, with or without its author's statement in pipeline.json. */
export async function readAsRun(drawn: DrawnFile, isStated: boolean): Promise<RunReading> {
  const { classes, inputs, settled } = drawn;
  const refused = (told: string): RunReading => ({ classes: inputs.map(() => undefined), told });
  const found = await labelsOf(drawn, isStated ? settled.label : null);
  if ('refusal' in found) return refused(found.refusal);
  const labels = inputs.map((name) => found.labelOf(DROP + name));
  const counts = new Map<string, number>();
  for (const label of labels) if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
  const stated = isStated && settled.numbers !== null ? NUMBERS[settled.numbers] : null;
  const reading = readLabels(counts, { classes, numbers: found.isOneHot ? 'names' : stated });
  if (reading.kind === 'refused') return refused(`labels ${reading.refusal}`);
  const told = `read as ${reading.numbers}`;
  return { classes: labels.map((label) => (label === undefined ? undefined : reading.resolve(label))), told };
}

interface FoundLabels {
  readonly labelOf: (key: string) => string | undefined;
  readonly isOneHot: boolean;
}

async function labelsOf(
  { classes, inputs, file, bytes }: DrawnFile,
  column: string | null,
): Promise<FoundLabels | { readonly refusal: string }> {
  if (bytes === null) return { labelOf: truthByFolder(DROP), isOneHot: false };
  const keys = new Set(inputs.map((name) => DROP + name));
  const table = new TruthTable(keys, false);
  let isOneHot = false;
  const choose: Parameters<typeof labelRows>[2] = {
    column,
    choose: (head) => {
      const named = new NamedInputs(head, (cell) => keyOfRow(cell, PLACE));
      for (const key of keys) named.add(key);
      const columns = named.decide({ classes, column, fields: [] });
      isOneHot = 'label' in columns && typeof columns.label !== 'number';
      return columns;
    },
  };
  try {
    for await (const rows of labelRows(file, chunksOf(bytes), choose))
      for (const row of rows) table.add({ ...row, key: keyOfRow(row.key, PLACE) });
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    return { refusal: error.message };
  }
  return { labelOf: (key) => table.lookUp(key, 0), isOneHot };
}

async function* chunksOf(bytes: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(bytes, 'base64');
}
