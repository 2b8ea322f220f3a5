import type { Terminal } from './terminal.ts';

/** Longest silence of a command at work: on a screen, which redraws its line, and in a pipe, which keeps each line. */
const SILENCE_MS = { screen: 2_000, pipe: 20_000 } as const;

/** Time as it passes, or as a test says. */
export interface Time {
  readonly now: () => number;
  /** Calls back after so many milliseconds. Returns a way to cancel. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

/** The machine's own time, which keeps no process from ending. */
export const machineTime: Time = {
  now: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * A terminal that never falls silent while a command works: it repeats the current work (the text of the last status, or at first
 * `doing`) and for how long it has lasted. A result stops that, and so does an empty status: the command is done, or waits for a
 * person.
 */
export function withSignsOfLife(
  terminal: Terminal,
  doing: string,
  { now, after }: Time,
): { readonly terminal: Terminal; stop(): void } {
  const { interactive } = terminal;
  const began = now();
  let current = doing;
  let cancel = (): void => undefined;
  const listen = (): void => {
    cancel();
    cancel =
      current === ''
        ? () => undefined
        : after(interactive ? SILENCE_MS.screen : SILENCE_MS.pipe, () => {
            const seconds = Math.round((now() - began) / 1000);
            if (interactive) terminal.status(`${current} (${seconds} s)`);
            else terminal.note(`  · ${current.trim()} (${seconds} s)`);
            listen();
          });
  };
  listen();
  return {
    terminal: {
      interactive,
      color: terminal.color,
      get columns() {
        return terminal.columns;
      },
      print(text) {
        terminal.print(text);
        current = '';
        listen();
      },
      note(text) {
        terminal.note(text);
        listen();
      },
      status(text) {
        terminal.status(text);
        const isSame = current !== '' && text !== '';
        current = text;
        // In a pipe nobody has seen it.
        if (interactive || !isSame) listen();
      },
    },
    stop() {
      current = '';
      listen();
    },
  };
}
