import { toTagValue } from '../text/tag-value.ts';
import { parseRunId } from './run-id.ts';

/**
 * Tag of every endpoint and transform job; its value is the bucket of the application, which names it uniquely. Policies of roles
 * (infra/) name it as well.
 */
export const APPLICATION_TAG = 'inferdrop:application';

/** Tags of the job of one attempt, by which the application recognizes it. */
export function attemptTags(
  { run, createdAt }: { readonly run: string; readonly createdAt: string },
  attempt: number,
  bucket: string,
): Readonly<Record<string, string>> {
  return {
    [APPLICATION_TAG]: bucket,
    'inferdrop:run': toTagValue(run),
    'inferdrop:pipeline': toTagValue(parseRunId(run)?.pipeline ?? ''),
    'inferdrop:attempt': String(attempt),
    'inferdrop:planned-at': toTagValue(createdAt),
  };
}
