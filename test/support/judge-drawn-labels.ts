import type { Numbers } from '../../src/label/label-check.ts';
import { NamedInputs } from '../../src/label/label-columns.ts';
import { LabelFileUnreadable } from '../../src/label/label-row.ts';
import { labelRows } from '../../src/label/label-rows.ts';
import { readLabels } from '../../src/label/reading.ts';
import type { DrawnLabels } from './drawn-labels.ts';

/** What became of a label file: `told` if some labels are reported as no class, `wrong` if one is another class in silence. */
export type Outcome = 'right' | 'refused' | 'told' | 'wrong';

/** Reads a drawn label file as a plan does, and compares with its truth. */
export async function judgeDrawn(
  { classes, inputs, truth, text, isReadable }: DrawnLabels,
  numbers: Numbers | null,
): Promise<Outcome> {
  let isOneHot = false;
  const choose = (head: readonly (readonly string[])[]) => {
    const named = new NamedInputs(head, (cell) => cell);
    for (const key of inputs) named.add(key);
    const chosen = named.decide({ classes, column: null, fields: [] });
    isOneHot = !('refusal' in chosen) && typeof chosen.label === 'object';
    return chosen;
  };
  async function* chunks() {
    yield Buffer.from(text);
  }
  try {
    const rows = (await Array.fromAsync(labelRows('labels.csv', chunks(), { choose }))).flat();
    const counts = new Map(rows.map(({ label }) => [label, 1]));
    const reading = readLabels(counts, { classes, numbers: isOneHot ? 'names' : numbers });
    if (reading.kind === 'refused') return 'refused';
    const read = new Map(rows.map(({ key, label }) => [key, reading.resolve(label)]));
    const found = inputs.map((key) => read.get(key));
    if (found.some((at, place) => at !== undefined && at !== truth[place])) return 'wrong';
    if (found.includes(undefined)) return 'told';
    // A file without a reading may be read by luck only.
    return isReadable || numbers === null ? 'right' : 'told';
  } catch (error) {
    if (error instanceof LabelFileUnreadable) return 'refused';
    throw error;
  }
}
