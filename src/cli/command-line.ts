import { nearestName } from '../pipeline/nearest-name.ts';
import { COMMANDS, namedCommands } from './command-table.ts';
import type { CommandGroup, ListedCommand } from './listed-command.ts';
import { type Time, withSignsOfLife } from './show/signs-of-life.ts';
import type { Terminal } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

/** Shorter words are similar to too many others for a guess at the intended one. */
const SHORTEST_GUESS = 3;

/**
 * Runs a command line. With a `time` the terminal is told again and again what goes on.
 *
 * @returns the exit code
 * @throws {UsageError} for an unknown command, option or value, with the known ones
 */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  time?: Time,
): Promise<number> {
  const [first = '--help', ...rest] = args;
  if (first === '--version') {
    terminal.print((await import('../report/program.ts')).PROGRAM);
    return 0;
  }
  if (first === 'help' && rest.length > 0) return runCommandLine([...rest, '--help'], terminal, time);
  if (first === 'help' || isHelp(first)) {
    for (const line of (await import('./help/overview.ts')).overview(terminal)) terminal.print(line);
    return 0;
  }
  const entry = COMMANDS.get(first);
  if (entry === undefined) throw unknownCommand(first);
  return 'verbs' in entry
    ? runGroup(first, entry, rest, terminal, time)
    : runCommand(first, entry, rest, terminal, time);
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

async function runGroup(
  first: string,
  group: CommandGroup,
  args: readonly string[],
  terminal: Terminal,
  time: Time | undefined,
): Promise<number> {
  const [second = '', ...rest] = args;
  if (isHelp(second)) {
    for (const line of (await import('./help/overview.ts')).groupHelp(first, group, terminal))
      terminal.print(line);
    return 0;
  }
  const verb = Object.hasOwn(group.verbs, second) ? group.verbs[second] : undefined;
  if (verb !== undefined) return runCommand(`${first} ${second}`, verb, rest, terminal, time);
  const alone = group.verbs[group.alone ?? ''];
  if (alone !== undefined && (second === '' || second.startsWith('-')))
    return runCommand(first, alone, args, terminal, time);
  throw unknownVerb(first, second, Object.keys(group.verbs));
}

async function runCommand(
  name: string,
  { load }: ListedCommand,
  args: readonly string[],
  terminal: Terminal,
  time: Time | undefined,
): Promise<number> {
  const { command } = await load();
  if (!args.some(isHelp)) {
    if (time === undefined) return command.call(name, args, terminal);
    const alive = withSignsOfLife(terminal, `  ${name}`, time);
    return command.call(name, args, alive.terminal).finally(alive.stop);
  }
  for (const line of (await import('./help/command-help.ts')).commandHelp(name, command, terminal))
    terminal.print(line);
  return 0;
}

function unknownCommand(first: string): UsageError {
  const all = 'inferdrop --help lists the commands';
  if (first.startsWith('-')) return new UsageError(`the command comes before ${first}: ${all}`);
  const verbs = namedCommands().flatMap(([name]) => (name.split(' ')[1] === first ? [name] : []));
  const nearest = first.length < SHORTEST_GUESS ? undefined : nearestName(first, COMMANDS.keys());
  const meant = verbs.length > 0 ? verbs.join(' or ') : nearest;
  return new UsageError(
    meant === undefined
      ? `there is no command ${first}: ${all}`
      : `there is no command ${first}: did you mean ${meant}? ${all}`,
  );
}

function unknownVerb(first: string, second: string, verbs: readonly string[]): UsageError {
  const takes = `${first} takes ${verbs.join(' or ')}`;
  if (second === '' || second.startsWith('-')) return new UsageError(takes);
  const nearest = second.length < SHORTEST_GUESS ? undefined : nearestName(second, verbs);
  return new UsageError(
    `there is no command ${first} ${second}: ${nearest === undefined ? takes : `did you mean ${first} ${nearest}?`}`,
  );
}
