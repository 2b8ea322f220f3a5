/**
 * `npm run weigh`: the weight of the product against weight.json, which `npm test` reads.
 *
 *     npm run weigh                     what is heavier than allowed, and the imports that carry it; exit code 1
 *     npm run weigh -- --carry          the imports that carry most over all handlers: the order in which to cut
 *     npm run weigh -- --lower          keeps what has become lighter
 *     npm run weigh -- --raise "WHY"    allows today's weight; the reason is kept in weight.json
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Allowed, readAllowed, rewriteAllowed } from './allowance.ts';

export const ROOT = path.resolve(import.meta.dirname, '..');
const FILE = path.join(ROOT, 'weight.json');

/** Files and their lines. */
export interface Weight {
  readonly files: number;
  readonly lines: number;
}

/** Handlers by their file, each with everything that it imports over any number of steps, and rooms by their folder. */
export interface Weights {
  readonly handlers: Readonly<Record<string, Weight>>;
  readonly rooms: Readonly<Record<string, Weight>>;
}

interface Import {
  readonly from: string;
  readonly to: string;
}

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** The folder that a product file's lines count for, such as `src/plan`, or undefined for tests, fixtures, and other files. */
export function roomOf(file: string): string | undefined {
  if (!/\.(?:ts|mjs|py|c|sh)$/.test(file) || /(?:^|\/)(?:test|fixtures|lab)\//.test(file)) return undefined;
  return /^(?:(?:src|packages)\/[^/]+|functions|web|console|scripts)(?=\/)/.exec(file)?.[0];
}

const IMPORT =
  /^(?:import|export)\s+(type\s)?(?:(\{[^{}]*\}|\*(?:\s+as\s+\w+)?|\w+)\s*from\s+)?'(\.[^']+)'/gm;

/** Files that a module loads by a relative path. Imports of types load nothing. */
export function importsOf(file: string, text: string): string[] {
  const loaded: string[] = [];
  for (const [, type, names = '', specifier = ''] of text.matchAll(IMPORT)) {
    const listed = names.replaceAll(/[{}]/g, '').split(',');
    const isTyped = type !== undefined || listed.every((name) => /^\s*(?:type\s|$)/.test(name));
    if (isTyped && names !== '') continue;
    loaded.push(path.posix.join(path.posix.dirname(file), specifier));
  }
  return loaded;
}

/** A checkout's weights, with the imports between the files of src and functions. */
export class Weighed {
  readonly weights: Weights;
  readonly #lines = new Map<string, number>();
  readonly #imports: Imports;

  constructor(root: string) {
    const rooms: Record<string, Weight> = {};
    const modules = new Map<string, string>();
    for (const file of trackedFiles(root)) {
      const room = roomOf(file);
      if (room === undefined) continue;
      const text = readFileSync(path.join(root, file), 'utf8');
      const lines = text.split('\n').length - 1;
      this.#lines.set(file, lines);
      if (/^(?:src|functions)\/.*\.ts$/.test(file)) modules.set(file, text);
      rooms[room] = sum([rooms[room], { files: 1, lines }]);
    }
    this.#imports = new Map(
      [...modules].map(([file, text]) => [
        file,
        new Set(importsOf(file, text).filter((one) => modules.has(one))),
      ]),
    );
    const handlers = [...modules.keys()].filter((file) => /^functions\/[^/]+\.ts$/.test(file)).toSorted();
    this.weights = { handlers: Object.fromEntries(handlers.map((file) => [file, this.reach(file)])), rooms };
  }

  /** Weight of a module and everything that it loads; `without` leaves out one import. */
  reach(file: string, without?: Import): Weight {
    return sum(
      [...this.#loaded(file, without)].map((one) => ({ files: 1, lines: this.#lines.get(one) ?? 0 })),
    );
  }

  /** The imports, except a handler's own, without which these handlers would reach fewer lines; the most lines come first. */
  carriers(handlers: readonly string[]): (Import & { readonly lines: number; readonly handlers: number })[] {
    const found = new Map<string, Import & { lines: number; handlers: number }>();
    for (const handler of handlers) {
      const whole = this.reach(handler).lines;
      for (const from of this.#loaded(handler)) {
        if (from === handler) continue;
        for (const to of this.#imports.get(from) ?? []) {
          const lines = whole - this.reach(handler, { from, to }).lines;
          if (lines === 0) continue;
          const carrier = found.get(`${from} ${to}`) ?? { from, to, lines: 0, handlers: 0 };
          carrier.lines += lines;
          carrier.handlers += 1;
          found.set(`${from} ${to}`, carrier);
        }
      }
    }
    return [...found.values()].toSorted((a, b) => b.lines - a.lines);
  }

  #loaded(start: string, without?: Import): Set<string> {
    const seen = new Set<string>();
    const left = [start];
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      for (const next of this.#imports.get(file) ?? [])
        if (file !== without?.from || next !== without.to) left.push(next);
    }
    return seen;
  }
}

/** Sentences about each handler and room that weighs more than it may, by its name. */
export function heavier(now: Weights, allowed: Weights): Map<string, string> {
  const found = new Map<string, string>();
  for (const kind of ['handlers', 'rooms'] as const) {
    for (const [name, { files, lines }] of Object.entries(now[kind])) {
      const bound = allowed[kind][name];
      if (bound === undefined)
        found.set(name, `${name}: ${files} files, ${lines} lines; it has no allowance`);
      else if (lines > bound.lines || files > bound.files)
        found.set(
          name,
          `${name}: ${files} files, ${lines} lines; allowed are ${bound.files} and ${bound.lines}`,
        );
    }
  }
  return found;
}

/** The committed allowance. */
export function readAllowance(): Allowed<Weights> {
  return readAllowed(FILE);
}

/** The files of a checkout that git tracks, in order. */
export function trackedFiles(root: string): string[] {
  return execFileSync('git', ['-C', root, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 27 })
    .split('\0')
    .toSorted();
}

function sum(weights: readonly (Weight | undefined)[]): Weight {
  const total = { files: 0, lines: 0 };
  for (const weight of weights) {
    total.files += weight?.files ?? 0;
    total.lines += weight?.lines ?? 0;
  }
  return total;
}

/** The lesser of both for each name that still exists. */
function lowered(now: Weights, allowed: Weights): Weights {
  const least = (kind: keyof Weights): Record<string, Weight> =>
    Object.fromEntries(
      Object.entries(now[kind]).flatMap(([name, { files, lines }]) => {
        const bound = allowed[kind][name];
        if (bound === undefined) return [];
        return [[name, { files: Math.min(files, bound.files), lines: Math.min(lines, bound.lines) }]];
      }),
    );
  return { handlers: least('handlers'), rooms: least('rooms') };
}

function printSummary({ handlers, rooms }: Weights): void {
  const reach = Object.values(handlers);
  const middle = (of: (weight: Weight) => number): number =>
    reach.map(of).toSorted((a, b) => a - b)[Math.floor(reach.length / 2)] ?? 0;
  const files = (weight: Weight): number => weight.files;
  const lines = (weight: Weight): number => weight.lines;
  const product = sum(Object.values(rooms));
  process.stdout.write(
    `${reach.length} handlers reach ${middle(files)} files and ${middle(lines)} lines in the median, ` +
      `${Math.max(...reach.map(files))} and ${Math.max(...reach.map(lines))} at most. ` +
      `The product has ${product.files} files and ${product.lines} lines.\n`,
  );
}

function printCarriers(weighed: Weighed, handlers: readonly string[], count: number): void {
  for (const { from, to, lines, handlers: many } of weighed.carriers(handlers).slice(0, count))
    process.stdout.write(
      `  ${lines} lines${handlers.length > 1 ? ` in ${many} handlers` : ''}: ${from} → ${to}\n`,
    );
}

function main(args: readonly string[]): number {
  const weighed = new Weighed(ROOT);
  const { weights } = weighed;
  printSummary(weights);
  if (args[0] === '--carry') {
    printCarriers(weighed, Object.keys(weights.handlers), 30);
    return 0;
  }
  const example = 'npm run weigh -- --raise "what the weight buys"';
  const code = rewriteAllowed(args, FILE, weights, lowered, example);
  if (code !== undefined) return code;
  const found = heavier(weights, readAllowance());
  for (const [name, sentence] of found) {
    process.stdout.write(`${sentence}\n`);
    if (name in weights.handlers) printCarriers(weighed, [name], 3);
  }
  if (found.size === 0) return 0;
  process.stdout.write(`Cut an import, or run ${example}.\n`);
  return 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
