import { SECTIONS } from '../command-table.ts';
import type { CommandGroup, ListedCommand } from '../listed-command.ts';
import type { Terminal } from '../show/terminal.ts';
import { helpWidth, twoColumns } from './two-columns.ts';

type Section = (typeof SECTIONS)[string];

/** The commands in groups, a line each: what `inferdrop --help` shows. */
export function overview(terminal: Terminal): readonly string[] {
  const { bold } = terminal.color;
  const width = helpWidth(terminal);
  const sections = Object.entries(SECTIONS);
  const names = sections.flatMap(([, commands]) => linesOf(commands).map(([name]) => name));
  const column = Math.max(...names.map((name) => name.length));
  return [
    'Usage: inferdrop COMMAND [OPTIONS]',
    '',
    ...sections.flatMap(([title, commands]) => [
      bold(title),
      ...twoColumns(linesOf(commands), width, column),
    ]),
    '',
    ...twoColumns(
      [
        ['inferdrop COMMAND --help', 'options and examples'],
        ['AWS_ENDPOINT_URL', "where: this machine's stack if it is set, else AWS"],
      ],
      width,
      0,
      '',
    ),
  ];
}

/** The commands of a group, a line each. */
export function groupHelp(name: string, group: CommandGroup, terminal: Terminal): readonly string[] {
  return [
    group.summary,
    '',
    terminal.color.bold('Commands'),
    ...twoColumns(
      Object.entries(group.verbs).map(([verb, { summary }]) => [`${name} ${verb}`, summary]),
      helpWidth(terminal),
    ),
    '',
    ...(group.alone === undefined ? [] : [`inferdrop ${name} is short for inferdrop ${name} ${group.alone}`]),
    `inferdrop ${name} COMMAND --help has options and examples`,
  ];
}

/** Names and texts of a section; two commands may share a line. */
function linesOf(commands: Section): readonly (readonly [names: string, text: string])[] {
  const shared = new Set(Object.values(commands).map((entry) => besideOf(entry)?.command));
  return Object.entries(commands)
    .filter(([name]) => !shared.has(name))
    .map(([name, entry]) => {
      const beside = besideOf(entry);
      return beside === undefined ? [name, summaryOf(entry)] : [`${name}, ${beside.command}`, beside.summary];
    });
}

function besideOf(entry: ListedCommand | CommandGroup): ListedCommand['beside'] {
  return 'verbs' in entry ? undefined : entry.beside;
}

function summaryOf(entry: ListedCommand | CommandGroup): string {
  return 'verbs' in entry ? `${entry.summary} (${Object.keys(entry.verbs).join(', ')})` : entry.summary;
}
