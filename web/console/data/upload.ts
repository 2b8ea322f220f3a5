import { reasonOf } from './ask.ts';

/** Uploads at once: a browser opens six connections, and the page's events need one. */
const AT_ONCE = 4;
/** Times that a file is sent before the upload is paused. */
const TRIES = 3;

/** A file that is to be sent, under its path below the folder that was chosen. */
export interface Sent {
  readonly file: File;
  readonly path: string;
}

/** An upload of files, several at once. */
export interface Upload {
  readonly total: number;
  /** Files that are there, sent or found there. */
  readonly done: number;
  readonly bytes: number;
  readonly isPaused: boolean;
  /** Why it has paused on its own. */
  readonly error: string | undefined;
  /** Sends what is still to be sent. True once all is there; false if it was paused before. */
  go(): Promise<boolean>;
  /** Lets the files under way end, and begins no other. */
  pause(): void;
}

/**
 * An upload that is still to begin.
 *
 * @param put sends one file
 * @param changed is called when its figures have changed
 */
export function uploadOf(
  files: readonly Sent[],
  put: (one: Sent) => Promise<unknown>,
  changed: () => void,
): Upload {
  const waiting = [...files];
  let [done, bytes] = [0, 0];
  let isPaused = false;
  let error: string | undefined;

  const send = async (one: Sent): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await put(one);
        return;
      } catch (thrown) {
        if (tries < TRIES && !isPaused) continue;
        isPaused = true;
        error = `${one.path}: ${reasonOf(thrown)}`;
        throw thrown;
      }
    }
  };
  const work = async (): Promise<void> => {
    for (;;) {
      const one = isPaused ? undefined : waiting.shift();
      if (one === undefined) return;
      try {
        await send(one);
      } catch {
        // It waits for the next attempt.
        waiting.unshift(one);
        return;
      }
      done += 1;
      bytes += one.file.size;
      changed();
    }
  };
  return {
    total: files.length,
    get done() {
      return done;
    },
    get bytes() {
      return bytes;
    },
    get isPaused() {
      return isPaused;
    },
    get error() {
      return error;
    },
    async go() {
      isPaused = false;
      error = undefined;
      changed();
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      changed();
      return !isPaused;
    },
    pause() {
      isPaused = true;
      changed();
    },
  };
}
