import { isTar } from '../../drop/tar-key.ts';

/** Cap on the kinds that are counted; names of further kinds count as names without one. */
const MAX_KINDS = 100;

const KINDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['png', 'jpg', 'jpeg', 'jpe', 'gif', 'bmp', 'webp', 'tif', 'tiff', 'dib', 'ppm'].map((name) => [
      name,
      'image',
    ]),
  ),
  jsonl: 'JSON Lines',
  ndjson: 'JSON Lines',
  tsv: 'csv',
};

/** Counts inputs by the kind that their names suggest: an image among tables is reported before it costs a job. */
export class InputKinds {
  readonly #kinds = new Map<string, { count: number; first: string }>();
  #inputs = 0;

  add(key: string): void {
    // What a tar holds is of a kind, not the tar.
    if (isTar(key)) return;
    this.#inputs += 1;
    const own = kindOf(key);
    const kind = this.#kinds.has(own) || this.#kinds.size < MAX_KINDS ? own : OTHERS;
    const found = this.#kinds.get(kind);
    if (found === undefined) this.#kinds.set(kind, { count: 1, first: key });
    else found.count += 1;
  }

  /** Notes for the reader, in sentences; none if all inputs are of one kind. */
  notes(): string[] {
    const [most, ...others] = [...this.#kinds].sort((a, b) => b[1].count - a[1].count);
    const [other] = others;
    if (most === undefined || other === undefined) return [];
    const count = this.#inputs - most[1].count;
    const named = others.slice(0, MAX_NAMED).map(([kind, { count }]) => `${count} ${kind}`);
    const more = others.length > MAX_NAMED ? ', …' : '';
    return [
      `${count} of ${this.#inputs} inputs ${count === 1 ? 'is' : 'are'} of another kind than the rest (${most[0]}): ${named.join(', ')}${more}, such as ` +
        `${JSON.stringify(other[1].first)}. The model gets them all the same: take out what it cannot read`,
    ];
  }
}

const OTHERS = 'others';
const MAX_NAMED = 5;

/** Whether a name is that of an image. */
export function isImageName(name: string): boolean {
  return kindOf(name) === 'image';
}

function kindOf(key: string): string {
  const extension = /[^/]\.([a-z0-9]{1,10})$/i.exec(key)?.[1]?.toLowerCase();
  return extension === undefined ? 'without an extension' : (KINDS[extension] ?? extension);
}
