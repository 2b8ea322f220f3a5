// What `--help` and `--version` print where inferdrop could not run yet: nothing is installed for them.
import { readFileSync } from 'node:fs';
import path from 'node:path';

// Like bootstrap.mjs, this file only uses features of Node 14.13.

/** File with the texts by command, for 80 columns: `npm test -- test/supply/static-help.test.ts -u` writes it. */
export const HELP_FILE = path.join('bin', 'help.json');

/** Whether a command line only asks for a text. */
export function asksForText(args) {
  const [first = 'help'] = args;
  return first === 'help' || first === '--version' || args.includes('--help') || args.includes('-h');
}

/** Prints the text that a command line asks for, and returns the exit code. @param root folder of inferdrop */
export function printText(root, args) {
  const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const texts = read(HELP_FILE);
  const [first = '', second = ''] = args.filter((word) => word !== 'help' && !word.startsWith('-'));
  const found = [`${first} ${second}`, first].find((name) => Object.keys(texts).includes(name));
  const isKnown = first === '' || found !== undefined;
  const lines = args[0] === '--version' ? [`inferdrop ${read('package.json').version}`] : texts[found || ''];
  process.stdout.write(`${lines.join('\n')}\n`);
  return isKnown ? 0 : 2;
}
