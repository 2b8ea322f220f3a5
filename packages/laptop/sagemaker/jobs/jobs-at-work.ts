/** The jobs of one kind that this process works on, by name. */
export interface JobsAtWork {
  /** Whether the stack is ending: records then stay as they are, and its next start fails the jobs. */
  isClosing(): boolean;
  /** Begins a job's work, which never rejects. */
  start(name: string, work: (stop: AbortSignal) => Promise<void>): void;
  /** Aborts the work of a job; one that has ended is left alone. */
  abort(name: string, reason: Error): void;
  /** Resolves when no job runs any more. */
  idle(): Promise<void>;
  /** Aborts every job and resolves when all have ended. */
  close(): Promise<void>;
}

/** Begins without jobs: an earlier process's jobs aren't known here. */
export function createJobsAtWork(): JobsAtWork {
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  let closing = false;
  const allDone = () => Promise.all([...running.values()].map(({ done }) => done));

  return {
    isClosing: () => closing,
    start(name, work) {
      const abort = new AbortController();
      const done = work(abort.signal).finally(() => running.delete(name));
      running.set(name, { abort, done });
    },
    abort: (name, reason) => running.get(name)?.abort.abort(reason),
    async idle() {
      while (running.size > 0) await allDone();
    },
    async close() {
      closing = true;
      for (const { abort } of running.values()) abort.abort(new Error('the stack is stopping'));
      await allDone();
    },
  };
}
