import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { vi } from 'vitest';
import { processTerminal, type Terminal } from '../../src/cli/show/terminal.ts';

/** What a person at a terminal of 100 columns with colors sees: lines that were drawn over are gone, styles are no text. */
export interface Screen {
  readonly terminal: Terminal;
  readonly text: string;
}

/** Both streams of a process as one screen. */
export function openScreen(): Screen {
  let written = '';
  const stream = () => ({
    isTTY: true,
    columns: 100,
    write: (text: string | Uint8Array) => ((written += String(text)), true),
  });
  // Like a person's: neither of CI's logs nor of an editor's.
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm-256color');
  const terminal = processTerminal({ stdout: stream(), stderr: stream() } as never);
  vi.unstubAllEnvs();
  return {
    terminal: Object.defineProperty(terminal, 'color', { value: pc.createColors(true) }),
    get text() {
      return written
        .split('\n')
        .map((line) => stripVTControlCharacters(line.split('\r\u001b[2K').at(-1) ?? ''))
        .join('\n');
    },
  };
}
