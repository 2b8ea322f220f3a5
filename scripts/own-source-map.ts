import * as z from 'zod';

const SourceMap = z.object({
  version: z.literal(3),
  sources: z.array(z.string()),
  mappings: z.string(),
  names: z.array(z.string()),
});

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE_OF = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));
/** A digit holds five bits of a number, and a sixth that says whether more follow; a number's lowest bit is its sign. */
const BITS = 5;
const MORE = 1 << BITS;

/**
 * A source map without the code of packages, which is most of a function's map and is corrected elsewhere. Frames of packages then name the
 * line of the bundle.
 *
 * @param text a map of version 3, without the texts of sources
 * @see https://tc39.es/ecma426/ for the mappings: five fields, each the difference to the segment before
 */
export function ownSourceMap(text: string): string {
  const { sources, names, mappings } = SourceMap.parse(JSON.parse(text));
  const keptSources = new Kept(sources, (source) => !source.includes('node_modules/'));
  const keptNames = new Kept(names, () => true);
  // Position in the fields: 0 column of the bundle, 1 source, 2 line, 3 column, 4 name. The first starts again in each line.
  const read = [0, 0, 0, 0, 0];
  const written = [0, 0, 0, 0, 0];
  let isOwn = false;
  const lines = mappings.split(';').map((line) => {
    read[0] = written[0] = 0;
    const segments: string[] = [];
    for (const segment of line.split(',')) {
      const fields = readFields(segment);
      fields.forEach((difference, field) => (read[field] = (read[field] ?? 0) + difference));
      const [column = 0, source = 0, sourceLine = 0, sourceColumn = 0, name = 0] = read;
      const place = fields.length > 1 ? keptSources.placeOf(source) : undefined;
      // When own code is over, a segment without a source says so, once.
      if (place === undefined && !isOwn) continue;
      isOwn = place !== undefined;
      const target = isOwn ? [column, place ?? 0, sourceLine, sourceColumn] : [column];
      if (isOwn && fields.length > 4) target.push(keptNames.placeOf(name) ?? 0);
      segments.push(target.map((value, field) => toDigits(value - (written[field] ?? 0))).join(''));
      target.forEach((value, field) => (written[field] = value));
    }
    return segments.join(',');
  });
  return `${JSON.stringify({ version: 3, sources: keptSources.all, names: keptNames.all, mappings: lines.join(';') })}\n`;
}

/** The entries of a list that are used, in the order of their first use. */
class Kept {
  readonly all: string[] = [];
  readonly #places = new Map<number, number>();
  readonly #entries: readonly string[];
  readonly #isKept: (entry: string) => boolean;

  constructor(entries: readonly string[], isKept: (entry: string) => boolean) {
    this.#entries = entries;
    this.#isKept = isKept;
  }

  /** Place of an entry in the kept list; undefined if it is left out. */
  placeOf(index: number): number | undefined {
    const known = this.#places.get(index);
    if (known !== undefined) return known;
    const entry = this.#entries[index];
    if (entry === undefined || !this.#isKept(entry)) return undefined;
    this.#places.set(index, this.all.length);
    return this.all.push(entry) - 1;
  }
}

function readFields(segment: string): readonly number[] {
  const fields: number[] = [];
  let number = 0;
  let shift = 0;
  for (let at = 0; at < segment.length; at++) {
    const digit = VALUE_OF.get(segment.charCodeAt(at));
    if (digit === undefined) throw new Error(`a source map has ${segment}, which is no segment`);
    number |= (digit & (MORE - 1)) << shift;
    shift += BITS;
    if ((digit & MORE) !== 0) continue;
    fields.push(number & 1 ? -(number >>> 1) : number >>> 1);
    number = shift = 0;
  }
  return fields;
}

function toDigits(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let digits = '';
  do {
    const more = rest >>> BITS;
    digits += DIGITS[(rest & (MORE - 1)) | (more > 0 ? MORE : 0)];
    rest = more;
  } while (rest > 0);
  return digits;
}
