import { plural } from '../text/figures.ts';
import { quoted } from '../text/shell-quoted.ts';

/** Refused runs of a pipeline and a day that have a message each. */
const ALONE = 20;
/** Beyond them, every so-many-th has one, which counts those before it. */
const TOGETHER = 100;

/**
 * Last sentence of the message for a pipeline's n-th run of a day (UTC) that failed before its first job: `undefined` for the first
 * ones, and `null` if the run has no message of its own. So a flood of drops that are refused doesn't become a flood of mail.
 */
export function joinedFailures(failure: number, pipeline: string): string | null | undefined {
  const list = `inferdrop runs --pipeline ${quoted(pipeline)} lists all.`;
  if (failure < ALONE) return undefined;
  if (failure === ALONE)
    return `${ALONE} runs of this pipeline were refused today (UTC). From here on, only every ${TOGETHER}th has a message: ${list}`;
  if (failure % TOGETHER !== 0) return null;
  const silent = failure === TOGETHER ? TOGETHER - ALONE - 1 : TOGETHER - 1;
  return `${failure} runs of this pipeline were refused today (UTC). ${plural(silent, 'run')} before this one had no message: ${list}`;
}
