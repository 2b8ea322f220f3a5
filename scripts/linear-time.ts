import { check } from 'recheck';

/** Far more than the slowest expression takes on a loaded machine. */
const MAX_CHECK_MS = 120_000;

/**
 * Why a regular expression may take more than linear time, with a text that shows it; undefined if it cannot. Expressions with
 * lookarounds and the like, which no automaton describes, are tested by recheck's fuzzer instead of being proved.
 */
export async function whyNotLinear(source: string, flags: string): Promise<string | undefined> {
  const result = await check(source, flags, { timeout: MAX_CHECK_MS });
  switch (result.status) {
    case 'safe':
      return undefined;
    case 'vulnerable':
      return `takes ${result.complexity.summary} time, as on ${result.attack.pattern}`;
    case 'unknown':
      return `could not be checked: ${JSON.stringify(result.error)}`;
  }
}
