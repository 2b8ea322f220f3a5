import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { MODEL_MEMBER, ROWS } from '../../file-kind/rows.ts';
import { isImageName, sampleOf } from '../../input/member-path.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { InputLine } from '../records/input-line.ts';
import type { IndexSettings, Passed } from '../records/tars.ts';

/** The members of one tar, as they are found; some 500 bytes of memory each. */
export class MemberList {
  readonly tar: ManifestEntry;
  readonly settings: IndexSettings;
  readonly #lines = new Map<string, InputLine>();
  /** Labels by the sample that they are of. */
  readonly #labels = new Map<string, { readonly path: string; readonly label: string }>();
  #hidden: Passed = { count: 0 };
  readonly #refused = new Map<string, string>();
  #isModel = false;
  /** Why part of the tar, or all of it, is not read. */
  #defect: string | undefined;

  constructor(tar: ManifestEntry, settings: IndexSettings) {
    this.tar = tar;
    this.settings = settings;
  }

  /** Number of names so far, including defects' names. */
  get size(): number {
    return this.#lines.size;
  }

  nameOf(path: string): string {
    return `${this.tar.key}/${path}`;
  }

  /** Takes a member. Which of several with one name is meant cannot be known, so that none of them is an input. */
  add(member: Pick<InputLine, 'size' | 'etag' | 'member' | 'defect'> & { readonly path: string }): void {
    const { path, ...line } = member;
    const key = this.nameOf(path);
    if (MODEL_MEMBER.test(path)) this.#isModel = true;
    const defect = this.#lines.has(key)
      ? { defect: `is more than once in ${JSON.stringify(this.tar.key)}: pack it once` }
      : {};
    this.#lines.set(key, { key, lastModified: this.tar.lastModified, ...line, ...defect });
  }

  addDefect(path: string, defect: string): void {
    this.add({ path, size: 0, etag: '', defect });
  }

  /** Keeps a member from the model because of its kind, unless it accompanies an image and never goes there. */
  refuse(path: string, why: string): void {
    this.#refused.set(this.nameOf(path), why);
  }

  /** Takes the label of the members that share its path up to the first dot. */
  addLabel(path: string, label: string): void {
    const sample = sampleOf(path);
    if (this.#labels.has(sample)) this.addDefect(path, 'is more than once in its tar: pack it once');
    this.#labels.set(sample, { path, label });
  }

  hide(path: string): void {
    this.#hidden = passed(this.#hidden, this.nameOf(path));
  }

  /** Says why the rest of the tar is not read; the first reason counts. */
  damage(defect: string): void {
    this.#defect ??= defect;
  }

  /** The inputs, and what cannot be one, in the byte order of their names. */
  finish(): { readonly lines: readonly InputLine[]; readonly hidden: Passed; readonly companions: Passed } {
    let companions: Passed = { count: 0 };
    if (this.#isModel) {
      const { what, remedy = '' } = ROWS['model-tar'];
      const lines = [{ ...this.tar, defect: `is ${what}: ${remedy}` }];
      return { lines, hidden: this.#hidden, companions };
    }
    const images = new Set<string>();
    if (this.settings.images)
      for (const { key } of this.#lines.values()) if (isImageName(key)) images.add(sampleOf(key));
    for (const { key, defect } of this.#lines.values()) {
      if (defect !== undefined || isImageName(key) || !images.has(sampleOf(key))) continue;
      this.#lines.delete(key);
      companions = passed(companions, key);
    }
    for (const [key, defect] of this.#refused) {
      const line = this.#lines.get(key);
      if (line !== undefined) this.#lines.set(key, { defect, ...line });
    }
    const used = new Set<string>();
    const above = this.tar.key.length + 1;
    for (const [key, line] of this.#lines) {
      const sample = sampleOf(key.slice(above));
      const label = line.defect === undefined ? this.#labels.get(sample)?.label : undefined;
      if (label === undefined) continue;
      used.add(sample);
      this.#lines.set(key, { ...line, label });
    }
    for (const [sample, { path }] of this.#labels)
      if (!used.has(sample)) this.addDefect(path, 'is the label of no member: pack it next to its input');
    const whole = this.#defect ?? (this.#lines.size === 0 ? 'has no file in it' : undefined);
    if (whole !== undefined) this.#lines.set(this.tar.key, { ...this.tar, defect: whole });
    const lines = [...this.#lines.values()].sort((a, b) => compareByteOrder(a.key, b.key));
    return { lines, hidden: this.#hidden, companions };
  }
}

function passed({ count, first }: Passed, name: string): Passed {
  return { count: count + 1, first: first ?? name };
}
