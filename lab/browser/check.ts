let passed = 0;
let failed = 0;

/**
 * Counts a check of a page; a failed one is printed with the text that was seen.
 *
 * @returns `holds`
 */
export function check(what: string, holds: boolean, detail: unknown = ''): boolean {
  if (holds) passed++;
  else failed++;
  if (!holds) process.stdout.write(`failed: ${what} ${JSON.stringify(detail)}\n`);
  return holds;
}

/** Prints the counts as the last line, and sets the exit code. */
export function conclude(): void {
  process.stdout.write(`Tests: ${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
