import { intAttr, intsAttr, textAttr, unsupported } from '../../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../../savedmodel/servable-model.ts';
import { type HostTensor, hostTensorOf } from '../host-tensor.ts';
import type { TextOperation } from './text-operation.ts';

const isSpace = (byte: number | undefined) =>
  byte !== undefined && (byte === 0x20 || (byte >= 9 && byte <= 13));

/** Words between white space, which is ASCII's. After the last split comes what is left, be it nothing; without one, the text as it is. */
function words(text: Uint8Array, limit: number): Uint8Array[] {
  if (limit === 0) return [text];
  const found: Uint8Array[] = [];
  let place = 0;
  for (;;) {
    while (isSpace(text[place])) place++;
    if (found.length === limit) return [...found, text.subarray(place)];
    if (place >= text.length) return found;
    const start = place;
    while (place < text.length && !isSpace(text[place])) place++;
    found.push(text.subarray(start, place));
  }
}

/** Parts between separators, empty ones too. */
function parts(text: Uint8Array, separator: Uint8Array, limit: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  let start = 0;
  while (found.length !== limit) {
    const end = bytes.indexOf(separator, start);
    if (end < 0) break;
    found.push(text.subarray(start, end));
    start = end + separator.length;
  }
  return [...found, text.subarray(start)];
}

/** Gives indices, values and shape of a sparse matrix: a row for each text. */
const split: TextOperation = ({ node, texts, input }) => {
  const separator = texts.at(input(1).data[0] ?? -1);
  const limit = intAttr(node, 'maxsplit', -1);
  const given = input(0);
  if (given.shape.length !== 1) throw new InvalidFeeds(`Node ${node.name} (${node.op}): a vector is wanted`);
  const rows = texts
    .of(given)
    .map((text) => (separator.length === 0 ? words(text, limit) : parts(text, separator, limit)));
  const values = rows.flat();
  const indices = rows.flatMap((row, index) => row.flatMap((_, place) => [index, place]));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return [
    hostTensorOf('int64', [values.length, 2], indices),
    texts.hold([values.length], values),
    hostTensorOf('int64', [2], [rows.length, width]),
  ];
};

/** Runs of words; nothing is put before or behind a row. */
const nGrams: TextOperation = ({ node, texts, input }) => {
  if (intAttr(node, 'pad_width') !== 0) throw unsupported(node, 'with padding');
  const separator = Buffer.from(textAttr(node, 'separator'));
  const keepShort = node.attributes.get('preserve_short_sequences')?.bool ?? false;
  const words = texts.of(input(0));
  const splits = Array.from(input(1).data);
  const ends = [0];
  const found: Uint8Array[] = [];
  const join = (row: readonly Uint8Array[]) =>
    Buffer.concat(row.flatMap((word, index) => (index === 0 ? [word] : [separator, word])));
  splits.slice(1).forEach((end, index) => {
    const row = words.slice(splits[index], end);
    const before = found.length;
    for (const width of intsAttr(node, 'ngram_widths')) {
      for (let start = 0; start + width <= row.length; start++)
        found.push(join(row.slice(start, start + width)));
    }
    if (keepShort && row.length > 0 && found.length === before) found.push(join(row));
    ends.push(found.length);
  });
  const own: HostTensor = input(1);
  return [texts.hold([found.length], found), hostTensorOf(own.dtype, [ends.length], ends)];
};

/** Texts taken apart, and their parts put together again. */
export const SPLITS: Readonly<Record<string, TextOperation>> = { StringSplitV2: split, StringNGrams: nGrams };
