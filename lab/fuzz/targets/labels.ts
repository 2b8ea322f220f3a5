import { labelRows } from '../../../src/label/label-rows.ts';
import { pieces } from '../../../test/support/pieces.ts';
import { mutateBytes } from '../mutate.ts';
import { type FuzzTarget, refusedByName } from '../target.ts';

interface LabelFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** How it arrives. */
  readonly pieceBytes: number;
}

const CSV = 'key,label\na.png,cat\n"b, ""2"".png",dog\r\nc/d.png,"two\nlines"\n';
const JSONL =
  '{"key":"a.png","label":"cat"}\n{"key":"b.csv","label":3,"index":0}\n{"key":"c","label":null}\n';
const WORDS = [
  '"',
  '""',
  ',',
  '\n',
  '\r',
  '\r\n',
  '{',
  '}',
  '[',
  'key',
  'label',
  '\ufeff',
  '\0',
  '\u2028',
  'a'.repeat(70_000),
  '['.repeat(30_000),
];

/** Label files, whole and in pieces. */
export function open(): FuzzTarget<LabelFile> {
  return {
    name: 'labels',
    seeds: [
      { name: 'labels.csv', bytes: Buffer.from(CSV), pieceBytes: 1_000_000 },
      { name: 'labels.csv', bytes: Buffer.from('a,1\nb,2\n'.repeat(50)), pieceBytes: 7 },
      { name: 'labels.jsonl', bytes: Buffer.from(JSONL), pieceBytes: 1_000_000 },
      { name: 'labels.jsonl', bytes: Buffer.from(JSONL.repeat(20)), pieceBytes: 11 },
    ],
    mutate: ({ name, bytes }, chance) => ({
      name,
      bytes: mutateBytes(bytes, chance, WORDS),
      pieceBytes: chance.size(100_000),
    }),
    judge: ({ name, bytes, pieceBytes }) =>
      refusedByName(['LabelFileUnreadable'], async () => {
        for await (const rows of labelRows(name, pieces(bytes, pieceBytes)))
          for (const { key, label } of rows)
            if (typeof key !== 'string' || typeof label !== 'string' || label === '')
              throw new Error(`a row of ${JSON.stringify({ key, label })}`);
      }),
  };
}
