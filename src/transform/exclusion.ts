/** S3 takes keys of at most 1,024 bytes of UTF-8. */
const MAX_KEY_BYTES = 1024;

/** Why an input of the manifest never reaches the model. */
export type Exclusion = 'empty' | 'too-large' | 'key-too-long';

/** The facts that exclude an input before any job. */
export interface SendableInput {
  readonly key: string;
  readonly size: number;
  readonly outputKey: string;
  /** Null where objects of any size are cut into records. */
  readonly largestAllowedBytes: number | null;
}

/** Undefined where the input is sent to the model. */
export function exclusionOf({ size, outputKey, largestAllowedBytes }: SendableInput): Exclusion | undefined {
  if (size === 0) return 'empty';
  if (largestAllowedBytes !== null && size > largestAllowedBytes) return 'too-large';
  return Buffer.byteLength(outputKey) > MAX_KEY_BYTES ? 'key-too-long' : undefined;
}

/** One sentence for errors.csv. */
export function exclusionDetail(reason: Exclusion, size: number, largestAllowedBytes: number | null): string {
  switch (reason) {
    case 'empty':
      return 'the object has 0 bytes';
    case 'too-large':
      return `${size} bytes; at most ${largestAllowedBytes ?? 0} go into one request`;
    case 'key-too-long':
      return `the key of its output would have more than ${MAX_KEY_BYTES} bytes: shorten the key`;
  }
}
