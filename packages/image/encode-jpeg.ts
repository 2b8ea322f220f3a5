import type { Pixels } from './pixels.ts';

/** Quality of a thumbnail, as libjpeg counts it: what is lost is not seen at this size. */
const QUALITY = 75;
const SIDE = 8;

/** Steps that rows of coefficients of brightness and colour are rounded to at quality 50 (ITU-T T.81, tables K.1 and K.2). */
const BRIGHTNESS_STEPS = [
  ...[16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56],
  ...[14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92],
  ...[49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99],
];
const COLOUR_STEPS = [
  ...[17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99],
  ...[47, 66, 99, 99, 99, 99, 99, 99, ...Array.from({ length: 32 }, () => 99)],
];

/** Places of the coefficients in the order in which they are written: along the diagonals, from low to high frequencies. */
const ZIGZAG = Array.from({ length: SIDE * SIDE }, (_, at) => at).sort((a, b) => {
  const diagonal = (place: number): number => (place >> 3) + (place & 7);
  const along = (place: number): number => (diagonal(place) % 2 === 0 ? place & 7 : place >> 3);
  return diagonal(a) - diagonal(b) || along(a) - along(b);
});

/** The discrete cosine transform: rows are frequencies. */
const COSINES = Float64Array.from({ length: SIDE * SIDE }, (_, at) => {
  const [frequency, x] = [at >> 3, at & 7];
  return Math.cos(((2 * x + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

/** A channel of an image, with sides that are multiples of a block's. */
interface Plane {
  readonly width: number;
  readonly samples: Float32Array;
  readonly steps: readonly number[];
  /** 0 for brightness, 1 for colour: which tables it uses. */
  readonly kind: 0 | 1;
}

/** Symbol of a Huffman code, and the bits that follow it. */
interface Written {
  readonly table: number;
  readonly symbol: number;
  readonly bits: number;
  readonly length: number;
}

interface HuffmanTable {
  /** Number of codes of 1 … 16 bits. */
  readonly lengths: readonly number[];
  readonly symbols: readonly number[];
  readonly codes: ReadonlyMap<number, readonly [code: number, length: number]>;
}

/**
 * Writes an RGB image as a baseline JPEG with colours at half the resolution (ITU-T T.81, JFIF 1.01), and Huffman codes
 * made for it, since the usual ones would be a tenth of a thumbnail.
 */
export function encodeJpeg({ width, height, data }: Pixels): Uint8Array {
  const planes = toPlanes(width, height, data);
  const written = toWritten(planes, Math.ceil(width / 16), Math.ceil(height / 16));
  const tables = [0, 1, 2, 3].map((table) => huffmanTable(written.filter((each) => each.table === table)));
  const [brightness, red, blue] = planes;
  const bytes = [0xff, 0xd8];
  const segment = (marker: number, content: readonly number[]): void => {
    bytes.push(0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255, ...content);
  };
  segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  for (const { steps, kind } of [brightness, red])
    segment(0xdb, [kind, ...ZIGZAG.map((at) => steps[at] ?? 1)]);
  const sampling = [brightness, red, blue].flatMap(({ kind }, at) => [
    at + 1,
    kind === 0 ? 0x22 : 0x11,
    kind,
  ]);
  segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 3, ...sampling]);
  for (const [table, { lengths, symbols }] of tables.entries())
    segment(0xc4, [(table & 1) * 16 + (table >> 1), ...lengths, ...symbols]);
  segment(0xda, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]);
  writeBits(bytes, written, tables);
  return Uint8Array.from([...bytes, 0xff, 0xd9]);
}

/** Brightness and two colours, around 0. */
function toPlanes(width: number, height: number, data: Uint8Array): [Plane, Plane, Plane] {
  const [wide, high] = [Math.ceil(width / 16) * 16, Math.ceil(height / 16) * 16];
  const y = new Float32Array(wide * high);
  const [cb, cr] = [new Float32Array((wide * high) / 4), new Float32Array((wide * high) / 4)];
  for (let row = 0; row < high; row++)
    for (let column = 0; column < wide; column++) {
      // What lies beyond the edge is as on the edge.
      const from = (Math.min(row, height - 1) * width + Math.min(column, width - 1)) * 3;
      const [r = 0, g = 0, b = 0] = [data[from], data[from + 1], data[from + 2]];
      y[row * wide + column] = 0.299 * r + 0.587 * g + 0.114 * b - 128;
      const half = (row >> 1) * (wide >> 1) + (column >> 1);
      cb[half] = (cb[half] ?? 0) + (-0.168736 * r - 0.331264 * g + 0.5 * b) / 4;
      cr[half] = (cr[half] ?? 0) + (0.5 * r - 0.418688 * g - 0.081312 * b) / 4;
    }
  const colour = { width: wide / 2, steps: scaled(COLOUR_STEPS), kind: 1 as const };
  return [
    { width: wide, samples: y, steps: scaled(BRIGHTNESS_STEPS), kind: 0 },
    { ...colour, samples: cb },
    { ...colour, samples: cr },
  ];
}

function scaled(steps: readonly number[]): number[] {
  return steps.map((step) => Math.max(1, Math.floor((step * (200 - 2 * QUALITY) + 50) / 100)));
}

/** All blocks of the image in the order of the file: of each square of 16 × 16 four of brightness and one of each colour. */
function toWritten(planes: readonly Plane[], columns: number, rows: number): Written[] {
  const written: Written[] = [];
  const last = planes.map(() => 0);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      for (const [at, plane] of planes.entries()) {
        const each = plane.kind === 0 ? 2 : 1;
        for (let block = 0; block < each * each; block++) {
          const [x, y] = [column * each + (block % each), row * each + Math.floor(block / each)];
          const coefficients = transform(plane, x * SIDE, y * SIDE);
          writeBlock(written, coefficients, { kind: plane.kind, before: last[at] ?? 0 });
          last[at] = coefficients[0] ?? 0;
        }
      }
  return written;
}

/** The coefficients of a block in zigzag order. */
function transform({ width, samples, steps }: Plane, left: number, top: number): number[] {
  const half = new Float64Array(SIDE * SIDE);
  for (let v = 0; v < SIDE; v++)
    for (let x = 0; x < SIDE; x++) {
      let sum = 0;
      for (let y = 0; y < SIDE; y++)
        sum += (COSINES[v * SIDE + y] ?? 0) * (samples[(top + y) * width + left + x] ?? 0);
      half[v * SIDE + x] = sum;
    }
  return ZIGZAG.map((place) => {
    const [v, u] = [place >> 3, place & 7];
    let sum = 0;
    for (let x = 0; x < SIDE; x++) sum += (COSINES[u * SIDE + x] ?? 0) * (half[v * SIDE + x] ?? 0);
    return Math.round(sum / (steps[place] ?? 1));
  });
}

/** Writes the first coefficient as its difference to the block before, the others with the number of zeros before each. */
function writeBlock(
  written: Written[],
  coefficients: readonly number[],
  { kind, before }: { readonly kind: 0 | 1; readonly before: number },
): void {
  const put = (table: number, zeros: number, value: number): void => {
    const length = 32 - Math.clz32(Math.abs(value));
    written.push({
      table,
      symbol: zeros * 16 + length,
      bits: value < 0 ? value + 2 ** length - 1 : value,
      length,
    });
  };
  const [first = 0, ...rest] = coefficients;
  put(2 * kind, 0, first - before);
  let zeros = 0;
  for (const value of rest) {
    if (value === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros > 15; zeros -= 16) put(2 * kind + 1, 15, 0);
    put(2 * kind + 1, zeros, value);
    zeros = 0;
  }
  // All others are zero.
  if (zeros > 0) put(2 * kind + 1, 0, 0);
}

/** The best Huffman code of at most 16 bits for some symbols, without the code of ones alone (ITU-T T.81, K.2). */
function huffmanTable(written: readonly Written[]): HuffmanTable {
  const times = new Map<number, number>();
  for (const { symbol } of written) times.set(symbol, (times.get(symbol) ?? 0) + 1);
  // The least likely symbol, 256, takes the code of ones.
  let trees = [[256, 0] as const, ...times].map(([symbol, count]) => ({ count, symbols: [symbol] }));
  const depth = new Map<number, number>();
  while (trees.length > 1) {
    trees = trees.toSorted((a, b) => a.count - b.count);
    const [one, other, ...more] = trees;
    if (one === undefined || other === undefined) break;
    const symbols = [...one.symbols, ...other.symbols];
    for (const symbol of symbols) depth.set(symbol, (depth.get(symbol) ?? 0) + 1);
    trees = [...more, { count: one.count + other.count, symbols }];
  }
  const lengths = limited(depth);
  const symbols = [...times.keys()].sort((a, b) => (depth.get(a) ?? 0) - (depth.get(b) ?? 0) || a - b);
  const codes = new Map<number, readonly [number, number]>();
  let [code, at] = [0, 0];
  for (const [bits, count] of lengths.entries()) {
    for (let each = 0; each < count; each++) codes.set(symbols[at++] ?? 0, [code++, bits + 1]);
    code *= 2;
  }
  return { lengths, symbols, codes };
}

/** Numbers of codes by length, the longest shortened to 16 bits, and without the reserved code. */
function limited(depth: ReadonlyMap<number, number>): number[] {
  const counts = new Array<number>(Math.max(17, ...depth.values()) + 2).fill(0);
  for (const length of depth.values()) counts[length] = (counts[length] ?? 0) + 1;
  const count = (length: number): number => counts[length] ?? 0;
  for (let length = counts.length - 1; length > 16; length--)
    while (count(length) > 0) {
      let shorter = length - 2;
      while (count(shorter) === 0) shorter -= 1;
      counts[length] = count(length) - 2;
      counts[length - 1] = count(length - 1) + 1;
      counts[shorter + 1] = count(shorter + 1) + 2;
      counts[shorter] = count(shorter) - 1;
    }
  const longest = counts.findLastIndex((codes) => codes > 0);
  counts[longest] = count(longest) - 1;
  return counts.slice(1, 17);
}

function writeBits(bytes: number[], written: readonly Written[], tables: readonly HuffmanTable[]): void {
  let [buffer, filled] = [0, 0];
  const put = (bits: number, length: number): void => {
    for (let at = length - 1; at >= 0; at--) {
      buffer = (buffer << 1) | ((bits >> at) & 1);
      filled += 1;
      if (filled < 8) continue;
      bytes.push(buffer);
      // A byte of ones would begin a marker.
      if (buffer === 0xff) bytes.push(0);
      [buffer, filled] = [0, 0];
    }
  };
  for (const { table, symbol, bits, length } of written) {
    const [code, codeLength] = tables[table]?.codes.get(symbol) ?? [0, 0];
    put(code, codeLength);
    put(bits, length);
  }
  if (filled > 0) put(0x7f, 8 - filled);
}
