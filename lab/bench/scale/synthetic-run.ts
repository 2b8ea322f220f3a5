/** Names and contents of the run that lab/bench/scale.ts makes up: they are computed, since ten million objects fit nowhere here. */
export const BUCKET = 'bench-scale';
export const RUN = 'scale/bench/000001';
export const INPUTS = 'incoming/scale/bench/';
export const LABELS = `${INPUTS}labels.csv`;
export const OUTPUTS = `runs/${RUN}/predictions/`;
export const CLASSES = Array.from({ length: 10 }, (_, index) => `class-${index}`);
const INPUT_BYTES = 50_000;

/** Name of the index-th input below the drop; in byte order. */
export function nameOf(index: number): string {
  return `${String(index).padStart(8, '0')}.png`;
}

/** Members of a tar. */
export const TAR_MEMBERS = 1_000;

/** Bytes of a member. */
export const MEMBER_BYTES = 2_000;
/** A header, and the content in whole blocks. */
export const TARRED_BYTES = 2_560;

/** Name of the tar with the members from the index-th input on. */
export function tarOf(index: number): string {
  return `${String(Math.floor(index / TAR_MEMBERS)).padStart(8, '0')}.tar`;
}

/** The place of an input by its name, which for a member is that in its tar. */
export function indexOf(name: string): number {
  return Number(/(\d{8})\.png$/.exec(name)?.[1]);
}

/** A tar, in which each member's content begins with its name; its headers are left empty, since nothing reads them. */
export function tarBytes(tar: string): Buffer {
  const first = Number.parseInt(tar, 10) * TAR_MEMBERS;
  const bytes = Buffer.alloc(TAR_MEMBERS * TARRED_BYTES);
  for (let at = 0; at < TAR_MEMBERS; at++) bytes.write(nameOf(first + at), at * TARRED_BYTES + 512);
  return bytes;
}

/** ETag that is the index-th input's, without quotes. */
export function etagOf(index: number): string {
  return index.toString(16).padStart(32, '0');
}

export function sizeOf(key: string): number {
  return key.startsWith(INPUTS) ? INPUT_BYTES : OUTPUT_BYTES;
}

/** Answer of the model to the index-th input, 9 times of 10 the truth. */
export function outputOf(index: number): string {
  const winner = index % 10 === 0 ? index + 1 : index;
  const scores = CLASSES.map((_, place) => (place === winner % CLASSES.length ? '0.9100000' : '0.0100000'));
  return `{"predictions":[[${scores.join(',')}]]}`;
}

const OUTPUT_BYTES = outputOf(0).length;

/** The drop's label file, in another order than the keys. */
export function* labelLines(count: number): Generator<string> {
  let text = '';
  for (let at = 0; at < count; at++) {
    // 7,368,787 is a prime: each input comes once.
    const index = Number((BigInt(at) * 7_368_787n) % BigInt(count));
    text += `${nameOf(index)},${CLASSES[index % CLASSES.length] ?? ''}\n`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** The index of the first input with a name after a text; names sort as their numbers. */
export function firstAfter(after: string): number {
  const index = Number(/^\d{8}/.exec(after.padEnd(8, '0'))?.[0] ?? 0);
  return nameOf(index) <= after ? index + 1 : index;
}
