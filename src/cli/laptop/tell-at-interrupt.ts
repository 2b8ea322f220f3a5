import type { Terminal } from '../show/terminal.ts';

/** Exit code after SIGINT, as shells have it. */
const INTERRUPTED = 130;

/** Says at Ctrl-C what does not end with this command, and ends it; the returned function takes that back. */
export function tellAtInterrupt(words: () => string, terminal: Terminal): () => void {
  const tell = (): void => {
    terminal.note(`\n${words()}`);
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', tell);
  return () => void process.off('SIGINT', tell);
}
