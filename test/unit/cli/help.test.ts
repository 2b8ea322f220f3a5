import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { COMMANDS, namedCommands } from '../../../src/cli/command-table.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const GROUPS = [...COMMANDS].flatMap(([name, entry]) => ('verbs' in entry ? [name] : []));

async function said(columns: number, ...args: string[]): Promise<readonly string[]> {
  const terminal = { ...silentTerminal(), columns };
  expect(await runCommandLine(args, terminal)).toBe(0);
  return terminal.lines;
}

/** The words of a command line; quotes are single ones, and a comment or another command ends it. */
function words(line: string): readonly string[] {
  const [command = ''] = line.split(/ +[#|]/);
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** Parses a whole command line by its command's own parser, without running it. */
async function check(line: string): Promise<void> {
  const [program, first = '', second = '', ...rest] = words(line);
  expect(program).toBe('inferdrop');
  const known = new Map(namedCommands());
  const alone = COMMANDS.get(first);
  const [name, args] = known.has(`${first} ${second}`)
    ? [`${first} ${second}`, rest]
    : alone !== undefined && 'verbs' in alone
      ? [`${first} ${alone.alone}`, [second, ...rest]]
      : [first, [second, ...rest]];
  const command = known.get(name);
  expect(command, line).toBeDefined();
  (await command!.load()).command.check(
    name,
    args.filter((word) => word !== ''),
  );
}

describe('overview', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']]])(
    '%j shows it in 40 lines of 80 columns',
    async (args) => {
      const lines = await said(80, ...args);
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../golden/help/overview.txt');
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    },
  );

  it('wraps in a narrow terminal', async () => {
    const lines = await said(50);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
  });

  it('has a short line for each command', () => {
    for (const [name, { summary }] of [...namedCommands(), ...COMMANDS])
      expect([name, summary.length <= 50 && /^[A-Z]/.test(summary)]).toEqual([name, true]);
  });
});

it.each(GROUPS)('%s --help lists the commands of the group', async (name) => {
  const lines = await said(80, name, '--help');
  for (const [full, { summary }] of namedCommands().filter(([full]) => full.startsWith(`${name} `)))
    expect(lines.some((line) => line.includes(full) && line.endsWith(summary))).toBe(true);
  expect(await said(80, 'help', name)).toEqual(lines);
  expect(await said(80, name, '-h')).toEqual(lines);
});

it.each(['endpoints', 'drop'])('%s --help looks like this', async (name) => {
  await expect(`${(await said(80, name, '--help')).join('\n')}\n`).toMatchFileSnapshot(
    `../../golden/help/${name}.txt`,
  );
});

describe.each(namedCommands())('help of %s', (name, { load }) => {
  it('has usage, each option, codes and examples within 80 columns', async () => {
    const lines = await said(80, ...name.split(' '), '--help');
    const { options, examples } = (await load()).command;
    expect(lines).toContainEqual(expect.stringContaining(`  inferdrop ${name}`));
    for (const option of Object.keys(options))
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ {2}(-\\w, | {4})--${option}( |$)`)));
    expect(lines).toContain('  2  wrong command line');
    expect(lines).toEqual(expect.arrayContaining(examples.map((example) => `  ${example}`)));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('names examples that parse, and a page that is there', async () => {
    const { examples, page } = (await load()).command;
    for (const example of examples) {
      expect(example.startsWith(`inferdrop ${name.replace(/ list$/, '')}`)).toBe(true);
      await check(example);
    }
    expect(existsSync(path.join(ROOT, page))).toBe(true);
  });
});

it('every command line in the documentation parses', async () => {
  const pages = await Array.fromAsync(
    glob(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md'], {
      cwd: ROOT,
      exclude: (name) => name.includes('node_modules'),
    }),
  );
  const found: string[] = [];
  for (const page of pages) {
    const text = await readFile(path.join(ROOT, page), 'utf8');
    for (const [, block = ''] of text.matchAll(/^```sh\n(.*?)^```/gms))
      for (const [line] of block.matchAll(/^inferdrop .*$/gm)) found.push(line);
  }
  expect(found.length).toBeGreaterThan(30);
  for (const line of found) await check(line);
});
