import type { Repeated } from '../../app/run/repeat-manifest.ts';

/** Line on a rescore that was asked for. */
export function repeatedText({ run, outcome }: Repeated): string {
  return outcome === 'started'
    ? `${run} has started`
    : `${run} is there already, by the same labels and settings`;
}
