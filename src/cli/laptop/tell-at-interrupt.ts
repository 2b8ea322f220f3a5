import type { Terminal } from '../show/terminal.ts';

/** Exit code after SIGINT, by the convention of shells. */
const INTERRUPTED = 130;

/** At Ctrl-C, names the things that go on without this command, and exits; the returned function undoes this. */
export function tellAtInterrupt(words: () => string, terminal: Terminal): () => void {
  const tell = (): void => {
    terminal.note(`\n${words()}`);
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', tell);
  return () => void process.off('SIGINT', tell);
}
