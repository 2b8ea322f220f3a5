import pc from 'picocolors';
import type { Terminal } from '../../src/cli/show/terminal.ts';

/** A terminal that keeps what is printed. */
export function silentTerminal(): Terminal & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (text: string): void => void lines.push(text);
  return {
    lines,
    interactive: false,
    color: pc.createColors(false),
    columns: 100,
    print: keep,
    note: keep,
    status: () => undefined,
  };
}
