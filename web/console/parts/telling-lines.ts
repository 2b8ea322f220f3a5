import type { LogRow } from '../../../src/api/console/run-data.ts';

/** Where a person's own script failed. */
interface Place {
  /** Such as `code/inference.py, line 13`. */
  readonly where: string;
  /** Such as `SyntaxError: expected ':'`. */
  readonly error: string;
}

/** The lines of a failed run's log that explain it, oldest first, and the place that they name. */
export interface Telling {
  readonly lines: readonly LogRow[];
  readonly place: Place | undefined;
}

/** Lines shown before an error that has no traceback, and the longest traceback. */
const BEFORE = 5;
const MAX_LINES = 16;
const MAX_TRACEBACK = 40;

/** Words that the servers of PyTorch's containers put before a line that a script has printed. */
const OF_SERVER = /^.{0,200}(?:MODEL_LOG|WorkerLifeCycle) - /;
const FRAME = /^ *File "([^"]{1,1000})", line (\d{1,9})/;
/** The last line of a traceback; it begins with the exception's name. */
const RAISED = /^[A-Za-z_][\w.]{0,200}(?:Error|Exception|Interrupt|Exit|Warning)(?:: |$)/;
const BAD = /\b(?:error|exception|traceback|failed|fatal|killed)\b/i;
/** A line of a function's own that speaks of no failure. */
const OF_FUNCTION = /^\{.{0,200}"level":"(?:INFO|DEBUG)"/;
/** Folder of a model's or a training's own scripts, in a container and on a machine. */
const OWN = /(?:^|\/)code\/([^/"]{1,500}\.py)$/;

/**
 * Finds the lines that explain a failure: the newest traceback through a script of the person's own, else the newest traceback, else the
 * newest line that speaks of an error with those before it, else the last lines. What a function has written for its
 * operator tells nothing.
 */
export function tellingLines(all: readonly LogRow[]): Telling {
  const lines = all.filter(({ text }) => !OF_FUNCTION.test(text));
  const tracebacks = [...tracebacksOf(lines)];
  const found = tracebacks.findLast(({ place }) => place !== undefined) ?? tracebacks.at(-1);
  if (found !== undefined)
    return { lines: lines.slice(Math.max(found.from, found.to - MAX_LINES), found.to), place: found.place };
  const bad = lines.findLastIndex(({ text }) => BAD.test(text));
  const to = bad < 0 ? lines.length : bad + 1;
  return { lines: lines.slice(Math.max(0, to - 1 - BEFORE), to), place: undefined };
}

interface Traceback {
  readonly from: number;
  readonly to: number;
  readonly place: Place | undefined;
}

/** Python's tracebacks: from the first frame of a script to the line with the exception's name. */
function* tracebacksOf(lines: readonly LogRow[]): Generator<Traceback> {
  let from: number | undefined;
  let own: string | undefined;
  for (const [at, line] of lines.entries()) {
    const text = line.text.replace(OF_SERVER, '');
    const [, file, number] = FRAME.exec(text) ?? [];
    if (file !== undefined) {
      from ??= at;
      const script = OWN.exec(file)?.[1];
      if (script !== undefined) own = `code/${script}, line ${number}`;
    } else if (from !== undefined && RAISED.test(text)) {
      yield { from, to: at + 1, place: own === undefined ? undefined : { where: own, error: text } };
      from = own = undefined;
    }
    if (from !== undefined && at - from > MAX_TRACEBACK) from = own = undefined;
  }
}
