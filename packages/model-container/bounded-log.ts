/** Burst of a container's log. */
const BURST_BYTES = 1024 ** 2;
/** Sustained rate: 110 MB an hour. */
const BYTES_PER_SECOND = 32 * 1024;
/** CloudWatch Logs counts these for each event next to its text, so that empty lines cost something as well. */
const LINE_BYTES = 26;
/** Dropped lines are counted in the log after this time, or as soon as it has room for a line. */
const TELL_MS = 10_000;

/** Milliseconds since the epoch, and a call after some of them; what `after` returns takes it back. */
interface LogClock {
  now(): number;
  after(delayMs: number, callback: () => void): () => void;
}

/** The process's clock. */
const PROCESS_CLOCK: LogClock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

interface BoundedLog {
  write(line: string): void;
  /** Counts what was dropped since the last count, if anything was; for the end of a container. */
  flush(): void;
}

/**
 * Bounds what an untrusted program writes into a log: a loop that prints would fill the disk and block the stack.
 * Lines beyond the bound are dropped, and counted in a line of their own.
 */
export function boundLog(log: (line: string) => void, clock: LogClock = PROCESS_CLOCK): BoundedLog {
  let room = BURST_BYTES;
  let countedMs = clock.now();
  let lines = 0;
  let bytes = 0;
  let cancel = (): void => undefined;
  const flush = (): void => {
    cancel();
    if (lines === 0) return;
    log(
      `${lines} ${lines === 1 ? 'line' : 'lines'} dropped (${bytes} bytes): a container may write ${BURST_BYTES} bytes ` +
        `into its log at once, and ${BYTES_PER_SECOND} a second`,
    );
    lines = 0;
    bytes = 0;
  };
  return {
    write(line) {
      const nowMs = clock.now();
      // A clock that was put back gives nothing.
      room = Math.min(BURST_BYTES, room + (Math.max(0, nowMs - countedMs) / 1000) * BYTES_PER_SECOND);
      countedMs = nowMs;
      const size = Buffer.byteLength(line) + LINE_BYTES;
      if (size <= room) {
        flush();
        room -= size;
        return log(line);
      }
      if (lines === 0) cancel = clock.after(TELL_MS, flush);
      lines++;
      bytes += size;
    },
    flush,
  };
}
