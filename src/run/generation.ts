const DIGITS = 6;
const LAST = 10 ** DIGITS - 1;

/** The generation of the first files of a drop. */
export const FIRST_GENERATION = '000001';

/** A generation's number, and which repetition of its manifest it is (1: the run itself). */
export interface Generation {
  readonly number: number;
  readonly repetition: number;
}

/** Reads `000001` or `000001r2`. */
export function parseGeneration(text: string): Generation | undefined {
  const match = /^(\d{6})(?:r(\d{1,4}))?$/.exec(text);
  if (match === null) return undefined;
  return { number: Number(match[1]), repetition: match[2] === undefined ? 1 : Number(match[2]) };
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

/** Whether a generation repeats the manifest of another, as `000001r2` does. */
export function isRerun(generation: string): boolean {
  return generation.includes('r');
}

/** `000004` for `000005`; undefined for the first one and for reruns, which do not wait. */
export function generationBefore(generation: string): string | undefined {
  const parsed = parseGeneration(generation);
  if (parsed === undefined || parsed.repetition > 1 || parsed.number === 1) return undefined;
  return formatGeneration(parsed.number - 1);
}

/** `000001r2` after `000001` and `000001r4` after `000001r3`, whichever of them is repeated. */
export function nextRerun(generation: string, existing: readonly string[]): string {
  const number = parseGeneration(generation)?.number ?? Number.NaN;
  const repetitions = [generation, ...existing]
    .map(parseGeneration)
    .filter((found) => found?.number === number)
    .map((found) => found?.repetition ?? 1);
  return `${formatGeneration(number)}r${Math.max(...repetitions) + 1}`;
}
