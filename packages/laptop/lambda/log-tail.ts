const TAIL_BYTES = 4096;

/** The end of what an invocation logs: `LogType: Tail` answers with it. */
export interface LogTail {
  add(line: string): void;
  /** At most 4 KiB, as in Lambda. */
  readonly bytes: () => Buffer;
}

/** Collects lines, of which only the last 4 KiB stay in memory. */
export function logTail(): LogTail {
  let text = '';
  return {
    // No character is shorter than a byte.
    add: (line) => void (text = `${text}${line}\n`.slice(-TAIL_BYTES)),
    bytes: () => Buffer.from(text).subarray(-TAIL_BYTES),
  };
}
