import type { Input } from '../input/input.ts';
import { MAX_KEY_BYTES } from '../text/key-length.ts';
import { isOutputTooLong, type OutputMapping } from './output-key.ts';

/** Why an input of the manifest never reaches the model. */
export type Exclusion = 'unreadable' | 'empty' | 'too-large' | 'key-too-long';

/** Limits that exclude an input before any job. */
export interface SendLimits {
  /** Null if objects of any size are cut into records. */
  readonly largestAllowedBytes: number | null;
  /** Whether this is the room in a request that holds many inputs. */
  readonly isBundled?: boolean;
  /** Whether there is no place for the answer of an input with this name. */
  readonly isTooLong: (name: string) => boolean;
}

/** The limits of a run. Only answers that are objects of their own are named for their input. */
export function sendLimits(
  outputs: 'objects' | 'bundles' | 'lines',
  mapping: OutputMapping,
  largestAllowedBytes: number | null,
): SendLimits {
  const isTooLong = (name: string): boolean => outputs === 'objects' && isOutputTooLong(name, mapping);
  return { largestAllowedBytes, isTooLong };
}

/** The reason why an input never reaches the model; undefined if it is sent. */
export function exclusionOf(
  { name, size, defect }: Pick<Input, 'name' | 'size' | 'defect'>,
  { largestAllowedBytes, isTooLong }: SendLimits,
): Exclusion | undefined {
  if (defect !== undefined) return 'unreadable';
  if (size === 0) return 'empty';
  if (largestAllowedBytes !== null && size > largestAllowedBytes) return 'too-large';
  return isTooLong(name) ? 'key-too-long' : undefined;
}

/** One sentence for errors.csv. */
export function exclusionDetail(
  reason: Exclusion,
  { size, member, defect = '' }: Input,
  { largestAllowedBytes, isBundled = false }: Omit<SendLimits, 'isTooLong'>,
): string {
  switch (reason) {
    case 'unreadable':
      return defect;
    case 'empty':
      return `the ${member === undefined ? 'object' : 'member'} has 0 bytes`;
    case 'too-large':
      return (
        `${size} bytes; at most ${largestAllowedBytes ?? 0} go into one ` +
        `request${isBundled ? ' in a bundle: "transform": {"bundle": "never"} sends it on its own' : ''}`
      );
    case 'key-too-long':
      return `the key of its output would have more than ${MAX_KEY_BYTES} bytes: shorten the key`;
  }
}
