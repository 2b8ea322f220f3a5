const DIGITS = 6;
const LAST = 10 ** DIGITS - 1;

/** The generation of the first files of a drop. */
export const FIRST_GENERATION = '000001';

/**
 * How a generation repeats a manifest: `r` runs it again, `s` scores its predictions again, `c` predicts what it has left,
 * `p` is a trial of a probe.
 */
type Repetition = (typeof REPETITIONS)[number];
const REPETITIONS = ['r', 's', 'c', 'p'] as const;

/** A generation's number, and how often its manifest has been run (1: the run itself), or its predictions scored again. */
export interface Generation {
  readonly number: number;
  readonly kind: Repetition | undefined;
  readonly repetition: number;
}

/** Reads `000001`, `000001r2`, `000001s1`, `000001c1` or `000001p1`. */
export function parseGeneration(text: string): Generation | undefined {
  const match = /^(\d{6})(?:([rscp])(\d{1,4}))?$/.exec(text);
  if (match === null) return undefined;
  const [, number, letter, repetition = 1] = match;
  const kind = REPETITIONS.find((one) => one === letter);
  return { number: Number(number), kind, repetition: Number(repetition) };
}

/**
 * `000001` for 1.
 *
 * @throws {RangeError} beyond 999999
 */
export function formatGeneration(number: number): string {
  if (!Number.isInteger(number) || number < 1 || number > LAST) {
    throw new RangeError(`generation must be 1..${LAST}, is ${number}: start a new drop`);
  }
  return String(number).padStart(DIGITS, '0');
}

/** Whether a generation repeats the manifest of another, as `000001r2` and `000001s1` do. */
export function isRepetition(generation: string): boolean {
  return parseGeneration(generation)?.kind !== undefined;
}

/** Whether a generation is a trial of a probe, which says nothing about its drop. */
export function isTrial(generation: string): boolean {
  return parseGeneration(generation)?.kind === 'p';
}

/** `000004` for `000005`; undefined for the first one and for repetitions, which do not wait. */
export function generationBefore(generation: string): string | undefined {
  const parsed = parseGeneration(generation);
  if (parsed === undefined || parsed.kind !== undefined || parsed.number === 1) return undefined;
  return formatGeneration(parsed.number - 1);
}

/** `000001r2` after `000001`, `000001r4` after `000001r3`, and `000001s1` first, whichever of them is repeated. */
export function nextRepetition(kind: Repetition, generation: string, existing: readonly string[]): string {
  const number = parseGeneration(generation)?.number ?? Number.NaN;
  const repetitions = [generation, ...existing]
    .map(parseGeneration)
    .filter((found) => found?.number === number && found.kind === kind)
    .map((found) => found?.repetition ?? 1);
  return `${formatGeneration(number)}${kind}${Math.max(kind === 'r' ? 1 : 0, ...repetitions) + 1}`;
}
