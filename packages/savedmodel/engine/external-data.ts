import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import { WireReader } from '../savedmodel/wire-reader.ts';

const REMEDY =
  'store the weights next to it with onnx.save_model(model, "model.onnx", save_as_external_data=True, location="weights.bin")';

type Message = keyof typeof WITHIN;

/**
 * Messages within a message that lead to tensors, by their field numbers in
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto; an entry is a pair of texts, such as `location` and `weights.bin`.
 */
const WITHIN = {
  model: { 7: 'graph', 20: 'training', 25: 'function' },
  training: { 1: 'graph', 2: 'graph' },
  function: { 7: 'node', 11: 'attribute' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparse' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  tensor: { 13: 'entry' },
  entry: {},
} as const;
/** Protocol Buffers' own limit on nested messages. */
const MAX_DEPTH = 100;
const WINDOW_BYTES = 65_536;
/** Bytes of a varint, the tag and the length of a field included. */
const MAX_VARINT = 10;
/** A name that isn't UTF-8 is another file's once it has been decoded. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Refuses an ONNX file with weights anywhere but in a file of its own folder. onnxruntime opens such files itself, out of reach of
 * Node's permission model.
 *
 * @throws {BrokenModel} naming the first place, or for damaged bytes
 */
export function checkExternalData(file: string): void {
  const folder = realpathSync(dirname(file));
  for (const place of externalPlaces(file)) {
    const found = resolve(folder, place);
    const isPlain = found.startsWith(folder + sep) && !/(^|[/\\])\.\.([/\\]|$)|[*\0]/.test(place);
    if (!isPlain || !isFile(found))
      throw new BrokenModel(
        `model.onnx takes weights from ${JSON.stringify(place)}, which is no file of its folder`,
        REMEDY,
      );
  }
}

/** Whether a path leads to a file without passing any link. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true && realpathSync(path) === path;
}

/**
 * Every place that a tensor names, wherever it stands and whether or not its `data_location` says that it's used: parts of a message merge,
 * so the two may lie far apart. Weights are skipped, not read.
 */
function externalPlaces(file: string): ReadonlySet<string> {
  const places = new Set<string>();
  const descriptor = openSync(file, 'r');
  const window = Buffer.alloc(WINDOW_BYTES);
  let [from, size] = [0, 0];
  const bytesAt = (at: number, count: number): Uint8Array => {
    if (at < from || at + count > from + size) {
      from = at;
      size = readSync(descriptor, window, 0, WINDOW_BYTES, at);
    }
    return window.subarray(at - from, Math.min(at - from + count, size));
  };
  const addPlace = (bytes: Uint8Array, length: number): void => {
    if (bytes.length !== length) throw new BrokenModel(`model.onnx has a name of ${length} bytes`, REMEDY);
    const pair = new WireReader(bytes);
    let [key, value] = ['', ''];
    while (pair.next()) {
      if (pair.field === 1) key = utf8.decode(pair.bytes());
      else if (pair.field === 2) value = utf8.decode(pair.bytes());
    }
    if (key === 'location') places.add(value);
  };
  const visit = (message: Message, start: number, end: number, depth: number): void => {
    if (depth > MAX_DEPTH) throw damaged(start);
    const within: Readonly<Record<number, Message>> = WITHIN[message];
    const varint = (): number => {
      const bytes = bytesAt(at, Math.min(MAX_VARINT, end - at));
      const length = bytes.findIndex((byte) => byte < 0x80) + 1;
      if (length === 0) throw damaged(at);
      at += length;
      return bytes.subarray(0, length).reduceRight((value, byte) => value * 0x80 + (byte & 0x7f), 0);
    };
    let at = start;
    while (at < end) {
      const tag = varint();
      const [field, wireType] = [Math.floor(tag / 8), tag % 8];
      const inner = within[field];
      // Readers differ on tags beyond 32 bits: one that cuts them sees another field.
      if (tag < 8 || tag >= 2 ** 32 || (inner !== undefined && wireType !== 2)) throw damaged(at);
      if (wireType === 0) varint();
      else if (wireType === 1) at += 8;
      else if (wireType === 5) at += 4;
      else if (wireType === 2) {
        const length = varint();
        if (inner === 'entry') addPlace(bytesAt(at, length), length);
        else if (inner !== undefined && at + length <= end) visit(inner, at, at + length, depth + 1);
        at += length;
      } else throw damaged(at);
      if (at > end) throw damaged(at);
    }
  };
  try {
    visit('model', 0, statSync(file).size, 0);
  } finally {
    closeSync(descriptor);
  }
  return places;
}

function damaged(at: number): BrokenModel {
  return new BrokenModel(`model.onnx is damaged at byte ${at}`, 'export the model again');
}
