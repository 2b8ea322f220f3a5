import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { timeTree } from './process-tree.ts';

/**
 * A program that does the work; it prints a line of JSON with `answers`, how many inputs it has answered, and what else must
 * be equal on all sides.
 */
export interface Side {
  readonly name: string;
  /** The program and its arguments; with `file` it writes its answers there, a list of scores for each input. */
  readonly command: (inputs: number, file?: string) => readonly [program: string, ...args: string[]];
}

/** Processor time of a side: of its whole process at the larger number of inputs, and of one more input. */
export interface Cost {
  readonly wholeSeconds: number;
  readonly furtherMicroseconds: number;
}

interface Work {
  readonly sides: readonly Side[];
  readonly small: number;
  readonly large: number;
  readonly rounds: number;
  /** How far scores of the same class may differ; undefined if the sides write none. */
  readonly tolerance?: number;
}

/** Two scores may be the best of an answer: programs that add in another order may choose either. */
const TIE = 1e-5;
const Printed = z.looseObject({ answers: z.int() });
const Answers = z.array(z.array(z.number()));

/**
 * The cost of each side by name. The sides take turns, so that a busy minute hits all of them, and the median of the rounds counts;
 * two numbers of inputs separate the cost of each further input from the cost of starting.
 *
 * @throws {Error} if a side leaves an input without an answer, or answers otherwise than the first one
 */
export async function sideBySide({
  sides,
  small,
  large,
  rounds,
  tolerance,
}: Work): Promise<Map<string, Cost>> {
  if (tolerance !== undefined) await compareAnswers(sides, large, tolerance);
  const taken = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const inputs of [small, large]) {
      let first: object | undefined;
      for (const { name, command } of sides) {
        const [program, ...args] = command(inputs);
        const { stdout, cpuSeconds } = await timeTree(program, args);
        const printed = readPrinted(name, stdout, inputs);
        first ??= printed;
        requireEqual(name, printed, sides[0]?.name ?? '', first);
        const key = `${name} ${inputs}`;
        taken.set(key, [...(taken.get(key) ?? []), cpuSeconds]);
      }
    }
  return new Map(
    sides.map(({ name }) => {
      const [few, many] = [median(taken.get(`${name} ${small}`)), median(taken.get(`${name} ${large}`))];
      return [name, { wholeSeconds: many, furtherMicroseconds: ((many - few) / (large - small)) * 1e6 }];
    }),
  );
}

/** @throws {Error} unless the program's last line counts an answer for each input */
function readPrinted(name: string, stdout: string, inputs: number): z.infer<typeof Printed> {
  const printed = Printed.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
  if (printed.answers !== inputs)
    throw new Error(`${name} has answered ${printed.answers} of ${inputs} inputs`);
  return printed;
}

function requireEqual(name: string, printed: object, other: string, expected: object): void {
  const [found, wanted] = [JSON.stringify(printed), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${name} says ${found}, and ${other} ${wanted}`);
}

/** @throws {Error} naming the first input with another class, or with a score that differs by more than `tolerance` */
export function requireSameScores(
  name: string,
  found: Scores,
  other: string,
  expected: Scores,
  tolerance: number,
): void {
  if (found.length !== expected.length)
    throw new Error(`${name} has ${found.length} answers, and ${other} ${expected.length}`);
  for (const [at, scores] of found.entries()) {
    const others = expected[at] ?? [];
    const furthest = scores.reduce(
      (most, score, id) => Math.max(most, Math.abs(score - (others[id] ?? NaN))),
      0,
    );
    const best = others.indexOf(Math.max(...others));
    const isSame = scores.length === others.length && Math.max(...scores) - (scores[best] ?? NaN) <= TIE;
    if (!isSame || !(furthest <= tolerance))
      throw new Error(`${name} answers input ${at} otherwise than ${other}: scores differ by ${furthest}`);
  }
}
type Scores = z.infer<typeof Answers>;

async function compareAnswers(sides: readonly Side[], inputs: number, tolerance: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'inferdrop-bench-'));
  try {
    const file = path.join(folder, 'answers.json');
    let first: Scores | undefined;
    for (const { name, command } of sides) {
      const [program, ...args] = command(inputs, file);
      readPrinted(name, (await timeTree(program, args)).stdout, inputs);
      const answers = Answers.parse(JSON.parse(readFileSync(file, 'utf8')));
      rmSync(file);
      if (answers.length !== inputs)
        throw new Error(`${name} has written ${answers.length} answers for ${inputs} inputs`);
      first ??= answers;
      requireSameScores(name, answers, sides[0]?.name ?? '', first, tolerance);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The median; for an even number, the lower of the middle ones. */
function median(values: readonly number[] = []): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? NaN;
}
