/** The jobs of one kind that this process works on, by name; an earlier process's jobs aren't known here. */
export function createJobsAtWork() {
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  let closing = false;
  const allDone = () => Promise.all([...running.values()].map(({ done }) => done));

  return {
    /** Whether the stack is ending: records then stay as they are, and its next start fails the jobs. */
    isClosing: (): boolean => closing,
    /** Begins a job's work, which never rejects. */
    start(name: string, work: (stop: AbortSignal) => Promise<void>): void {
      const abort = new AbortController();
      const done = work(abort.signal).finally(() => running.delete(name));
      running.set(name, { abort, done });
    },
    /** Aborts the work of a job; one that has ended is left alone. */
    abort: (name: string, reason: Error): void => running.get(name)?.abort.abort(reason),
    /** Resolves when no job runs any more. */
    async idle(): Promise<void> {
      while (running.size > 0) await allDone();
    },
    /** Aborts every job and resolves when all have ended. */
    async close(): Promise<void> {
      closing = true;
      for (const { abort } of running.values()) abort.abort(new Error('the stack is stopping'));
      await allDone();
    },
  };
}
