import pc from 'picocolors';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { COMMANDS, namedCommands } from '../../src/cli/command-table.ts';

/** The lines that `--help` prints in 80 columns without colors, by command; the overview by the empty name. */
export async function helpTexts(): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = new Set(['', ...COMMANDS.keys(), ...namedCommands().map(([name]) => name)]);
  const texts: Record<string, readonly string[]> = {};
  for (const name of names) {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    await runCommandLine(name === '' ? [] : [...name.split(' '), '--help'], {
      interactive: false,
      color: pc.createColors(false),
      columns: 80,
      print,
      note: print,
      status: () => undefined,
    });
    texts[name] = lines;
  }
  return texts;
}
