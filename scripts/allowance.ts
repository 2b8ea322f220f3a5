import { readFileSync, writeFileSync } from 'node:fs';

/** The counts that a committed file allows. */
export type Allowed<Counts> = Counts & {
  /** The reason for the last rise. */
  readonly why: string;
};

/** Reads what a file allows. */
export function readAllowed<Counts>(file: string): Allowed<Counts> {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Rewrites the file if the command line asks for it: `--lower` keeps the counts that have fallen, `--raise "WHY"` allows today's counts.
 *
 * @param lowered the lesser counts of both
 * @param example how the command is given a reason
 * @returns the exit code where nothing is left to compare
 */
export function rewriteAllowed<Counts extends object>(
  [mode, why = '']: readonly string[],
  file: string,
  now: Counts,
  lowered: (now: Counts, allowed: Counts) => Counts,
  example: string,
): number | undefined {
  const write = (allowed: Allowed<Counts>): void =>
    writeFileSync(file, `${JSON.stringify(allowed, null, 2)}\n`);
  if (mode === '--lower') {
    const allowed = readAllowed<Counts>(file);
    write({ why: allowed.why, ...lowered(now, allowed) });
  }
  if (mode !== '--raise') return undefined;
  if (why.trim() === '') {
    process.stderr.write(`--raise takes a reason: ${example}\n`);
    return 2;
  }
  write({ why, ...now });
  return 0;
}
