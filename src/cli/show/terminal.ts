import pc from 'picocolors';

/** Output of a command. Results go to stdout, everything else to stderr, so that a pipe carries results only. */
export interface Terminal {
  /** Whether it is a terminal: lines may be redrawn. */
  readonly interactive: boolean;
  readonly color: ReturnType<typeof pc.createColors>;
  /** Width of the result. */
  readonly columns: number;
  /** A line of the result. */
  print(text: string): void;
  /** A permanent line next to the result. */
  note(text: string): void;
  /** A line that the next one replaces; nothing in a pipe. */
  status(text: string): void;
}

/** Width of a result that goes to a pipe or a file. */
const PIPE_COLUMNS = 80;

/** Streams that a process writes to. */
type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr'>;

/**
 * The terminal of a process; `NO_COLOR`, `FORCE_COLOR` and pipes are respected. Other writers' output on stderr, such as from a
 * stack's services, appears above the line of {@link Terminal.status}, which is redrawn below it.
 */
export function processTerminal({ stdout, stderr }: Streams = process): Terminal {
  const interactive = stderr.isTTY === true && process.env.TERM !== 'dumb' && process.env.CI === undefined;
  let drawn = '';
  const write = stderr.write.bind(stderr);
  const clear = (): void => {
    if (drawn !== '') write('\r\u001b[2K');
    drawn = '';
  };
  const draw = (text: string): void => {
    clear();
    drawn = text.slice(0, stderr.columns ?? 100);
    write(drawn);
  };
  if (interactive)
    Reflect.set(stderr, 'write', (...given: Parameters<typeof write>) => {
      const below = drawn;
      clear();
      const isFlushed = write(...given);
      if (below !== '' && String(given[0]).endsWith('\n')) draw(below);
      return isFlushed;
    });
  return {
    interactive,
    color: pc.createColors(pc.isColorSupported && stdout.isTTY === true),
    get columns() {
      return stdout.columns ?? PIPE_COLUMNS;
    },
    print(text) {
      clear();
      stdout.write(`${withoutC1(text)}\n`);
    },
    note(text) {
      clear();
      write(`${text}\n`);
    },
    status(text) {
      if (!interactive) return;
      draw(text);
    },
  };
}

/** Escapes the control characters U+0080 to U+009F, which JSON leaves unescaped and terminals obey; the JSON keeps its value. */
function withoutC1(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/** A name from outside, safe to show: control and direction characters are shown as code points. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** A piece of a line: text from anywhere, and the style that it gets once it is safe to show. */
interface Part {
  readonly text: string;
  readonly style?: (text: string) => string;
}

/**
 * A line of parts, each of them made visible, then styled: of a text that has its style already the style would be made
 * visible as well.
 */
export function styledLine(...parts: readonly Part[]): string {
  return parts.map(({ text, style = (safe) => safe }) => style(visible(text))).join('');
}

/** A message of several lines that may hold names from outside, safe to show. */
export function linesVisible(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
