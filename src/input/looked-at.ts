import { isTar } from '../drop/tar-key.ts';
import { rowOf } from '../file-kind/file-kind.ts';
import { grouped } from '../text/figures.ts';
import { drawn, nameDraw } from '../text/name-draw.ts';
import { type DropFile, kindOf, refusalOf, type SentAs } from './file-refusal.ts';

/** Most files of a drop that are looked at. */
export const MOST_LOOKED_AT = 1_000;
const MAX_NAMED = 5;
/** Draws the files that are looked at, in one pass: all of a small drop, and some from all over a large one. */
export class LooksAt<F> {
  readonly #nameOf: (file: F) => string;
  #files: F[] = [];
  #highest = 1;
  count = 0;

  constructor(nameOf: (file: F) => string) {
    this.#nameOf = nameOf;
  }

  add(file: F): void {
    this.count += 1;
    if (nameDraw(this.#nameOf(file)) > this.#highest) return;
    this.#files.push(file);
    if (this.#files.length < 2 * MOST_LOOKED_AT) return;
    this.#files = this.files();
    this.#highest = Math.max(...this.#files.map((one) => nameDraw(this.#nameOf(one))));
  }

  /** The files drawn, in the order in which they came. */
  files(): F[] {
    const chosen = new Set(drawn(this.#files, MOST_LOOKED_AT, this.#nameOf));
    return this.#files.filter((file) => chosen.has(file));
  }
}

/** The kinds of the files of a drop that were looked at, and those that are not sent. */
export class LookedAt {
  readonly #sent: SentAs;
  readonly #kinds = new Map<string, { count: number; first: string }>();
  #looked = 0;
  /** Why files are not sent, in words that follow their names. */
  readonly refused = new Map<string, string>();

  constructor(sent: SentAs) {
    this.#sent = sent;
  }

  add(file: DropFile): void {
    this.#looked += 1;
    const kind = kindOf(file);
    const refusal = refusalOf(file, this.#sent, kind);
    if (refusal !== undefined) {
      this.refused.set(file.name, refusal);
      return;
    }
    // Files in a tar are of a kind, not the tar.
    if (isTar(file.name)) return;
    const { family = '' } = rowOf(kind);
    const found = this.#kinds.get(family);
    if (found === undefined) this.#kinds.set(family, { count: 1, first: file.name });
    else found.count += 1;
  }

  /** Why no file of the drop is sent; undefined unless most of those that were looked at are refused. */
  get problem(): string | undefined {
    const { size } = this.refused;
    if (size * 2 <= this.#looked) return undefined;
    return `${grouped(size)} of ${grouped(this.#looked)} files that were looked at cannot be sent, so none is. The first of them follow`;
  }

  /** Notes for the reader, in sentences, on kinds that are sent. @param of files of the drop */
  notes(of: number): string[] {
    const some = of > this.#looked ? 'files looked at' : 'inputs';
    const [most, ...others] = [...this.#kinds].sort((a, b) => b[1].count - a[1].count);
    const [other] = others;
    if (most === undefined || other === undefined) return [];
    const count = others.reduce((sum, [, one]) => sum + one.count, 0);
    const named = others.slice(0, MAX_NAMED).map(([family, one]) => `${grouped(one.count)} ${family}`);
    return [
      `${grouped(count)} of ${grouped(count + most[1].count)} ${some} ${count === 1 ? 'is' : 'are'} of another kind ` +
        `than the rest (${most[0]}): ` +
        `${named.join(', ')}${others.length > MAX_NAMED ? ', …' : ''}, such as ${JSON.stringify(other[1].first)}. The ` +
        'model gets them all the same: take out what it cannot read',
    ];
  }
}
