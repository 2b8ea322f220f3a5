import { compareByteOrder } from '../text/byte-order.ts';
import { isKeyTooLong } from '../text/key-length.ts';

/** Key prefixes of a run's inputs and predictions. */
export interface OutputMapping {
  /** Key prefix of the inputs, ending in `/` (or empty for a whole bucket). */
  readonly inputPrefix: string;
  /** Key prefix of the outputs, ending in `/`. */
  readonly outputPrefix: string;
}

/** Key of the object that SageMaker writes for an input: the rest of its key after the prefix, and `.out`. */
export function toOutputKey(key: string, { inputPrefix, outputPrefix }: OutputMapping): string {
  return `${outputPrefix}${key.slice(inputPrefix.length)}.out`;
}

/** Whether S3 would not take the key of an input's output. */
export function isOutputTooLong(key: string, mapping: OutputMapping): boolean {
  return isKeyTooLong(toOutputKey(key, mapping));
}

/**
 * Whether the output of `next` is listed before an earlier key's. This happens if the earlier key is a prefix of `next`, and
 * `next` continues with a character below `.out` (`a` before `a-1`, but `a-1.out` before `a.out`).
 */
export function listsBefore(next: string, earlier: string): boolean {
  return compareByteOrder(`${next}.out`, `${earlier}.out`) < 0;
}
