import { createContext, Script } from 'node:vm';

/** Matches per search: handing a search over costs more than most searches. */
const MATCHES_AT_ONCE = 1000;

/**
 * JavaScript regular expressions (which JSONata and so Step Functions use) that stop searching after `limitMs`, so that endless
 * backtracking can't block the whole process. Fits jsonata's option `RegexEngine`.
 */
export function interruptibleRegex(limitMs: number): RegExpConstructor {
  return new Proxy(RegExp, {
    construct: (_, [pattern = /(?:)/]: RegExp[]) => new InterruptibleRegex(pattern, limitMs),
  });
}

class InterruptibleRegex extends RegExp {
  readonly #limitMs: number;
  /** Next results of `exec`, while it is called on the same text from where the last match ended. */
  #ahead: (RegExpExecArray | null)[] = [];
  #text = '';
  #endOfLast = -1;

  constructor(pattern: RegExp, limitMs: number) {
    super(pattern);
    this.#limitMs = limitMs;
  }

  override exec(text: string): RegExpExecArray | null {
    if (text !== this.#text || this.lastIndex !== this.#endOfLast) this.#ahead = [];
    if (this.#ahead.length === 0) this.#ahead = this.#search(text).reverse();
    const found = this.#ahead.pop() ?? null;
    this.#text = text;
    this.#endOfLast = found ? found.index + found[0].length : -1;
    this.lastIndex = Math.max(this.#endOfLast, 0);
    return found;
  }

  /** The next matches in order, with null if the text has no more of them. */
  #search(text: string): (RegExpExecArray | null)[] {
    const matches: (RegExpExecArray | null)[] = [];
    const work = (): void => {
      for (let goesOn = true; goesOn && matches.length < MATCHES_AT_ONCE;) {
        const found = super.exec(text);
        matches.push(found);
        // JSONata is to see an empty match again where it looks on from it: it refuses patterns that do not get on.
        goesOn = found !== null && found[0] !== '';
      }
    };
    if (!endsInTime(work, this.#limitMs))
      throw new Error(
        `the regular expression ${this.source} was stopped after ${this.#limitMs} ms on a text of ${text.length} ` +
          'characters: write it so that it cannot match the same text in many ways',
      );
    return matches;
  }
}

const room = createContext({ work: (): void => undefined });
const call = new Script('work()');

/** The engine stops a script that takes too long, even in the middle of a regular expression. Nothing else can. */
function endsInTime(work: () => void, limitMs: number): boolean {
  try {
    room.work = work;
    call.runInContext(room, { timeout: limitMs });
    return true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
