const TAIL_BYTES = 4096;

/** The tail of an invocation's log, which `LogType: Tail` returns. */
export interface LogTail {
  add(line: string): void;
  /** At most 4 KiB, as in Lambda. */
  readonly bytes: () => Buffer;
}

/** Collects lines; only the last 4 KiB stay in memory. */
export function logTail(): LogTail {
  let text = '';
  return {
    // No character is shorter than a byte.
    add: (line) => void (text = `${text}${line}\n`.slice(-TAIL_BYTES)),
    bytes: () => Buffer.from(text).subarray(-TAIL_BYTES),
  };
}
