import { describe, expect, test } from 'vitest';
import { RecordLabels } from '../../../src/app/plan/read/record-labels.ts';
import { LabelTally } from '../../../src/label/label-tally.ts';
import { type JsonPath, parseJsonPath } from '../../../src/prediction/json-path.ts';
import { asInput } from '../../support/as-input.ts';
import { NOW } from '../../support/drop-fixture.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const PREFIX = 'incoming/shapes/monday/';

describe('labels in records are checked', () => {
  const LINE = '{"y":"cat"}\n';
  async function check(
    sizes: readonly number[],
    { splitType = 'Line', strict = false, text = LINE, gone = 0 } = {},
  ) {
    const store = memoryObjectStore();
    const entries = sizes.map((size, at) => ({
      ...{ key: `${PREFIX}${at}`, size, etag: 'e', lastModified: NOW.toISOString() },
    }));
    for (const { key } of entries.slice(gone)) store.put(key, text);
    const tally = new LabelTally({ classes: ['cat'], numbers: null });
    const about = {
      path: parseJsonPath('$.y') as JsonPath,
      contentType: 'application/jsonlines',
      splitType,
      strict,
    };
    const labels = new RecordLabels(store, tally, about);
    for (let at = 0; at < entries.length; at += 400)
      await labels.look(entries.slice(at, at + 400).map(asInput));
    const { inputs, isWhole, labelled } = tally.finish().check;
    return { inputs, isWhole, labelled };
  }
  const all = (inputs: number, isWhole = true) => ({ inputs, isWhole, labelled: inputs });

  test.each<[string, readonly number[], Parameters<typeof check>[1], object]>([
    ['in 500 files of a run that only notes mistakes', Array<number>(500).fill(1), {}, all(500)],
    ['in no more', Array<number>(501).fill(1), {}, all(500, false)],
    ['in more files of a strict run', Array<number>(501).fill(1), { strict: true }, all(501)],
    ['in 32 MB', [16_000_000, 16_000_000], {}, all(2)],
    [
      'in no more, but at the beginning of the next file',
      [16_000_000, 16_000_001, 16_000_000],
      {},
      all(2, false),
    ],
    ['in 4 GB of a strict run', [4_000_000_000], { strict: true }, all(1)],
    ['at the beginning of a larger file', [4_000_000_001], { strict: true }, all(1, false)],
    ['in a file that is one record, of 8 MB', [8_000_000], { splitType: 'None' }, all(1)],
    ['in no larger one', [8_000_001, 1], { splitType: 'None' }, all(1, false)],
    [
      'in each line that is not blank',
      [1],
      { text: `${LINE}\n \n ${LINE}{}\n` },
      { inputs: 3, isWhole: true, labelled: 2 },
    ],
    [
      'once in a file that is one record of several lines',
      [1],
      { splitType: 'None', text: '{\n"y":"cat"\n}\n' },
      all(1),
    ],
    ['in the inputs that are still there', [1, 1], { gone: 1 }, all(1)],
  ])('%s', async (_, sizes, change, expected) => {
    expect(await check(sizes, change)).toEqual(expected);
  });
});
