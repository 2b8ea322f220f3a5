import type { DefinedCommand } from './define-command.ts';
import type { Terminal } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

/** Each command's file, loaded on use: the stack alone has hundreds of modules. */
const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: DefinedCommand }>>> = {
  start: () => import('./commands/start.ts'),
  up: () => import('./commands/up.ts'),
  'pipeline put': () => import('./commands/pipeline-put.ts'),
  drop: () => import('./commands/drop.ts'),
  runs: () => import('./commands/runs.ts'),
  watch: () => import('./commands/watch.ts'),
  report: () => import('./commands/report.ts'),
  logs: () => import('./commands/logs.ts'),
  train: () => import('./commands/train.ts'),
  promote: () => import('./commands/promote.ts'),
  rerun: () => import('./commands/rerun.ts'),
  rescore: () => import('./commands/rescore.ts'),
  replay: () => import('./commands/replay.ts'),
  cancel: () => import('./commands/cancel.ts'),
  predict: () => import('./commands/predict.ts'),
  endpoints: () => import('./commands/endpoints-list.ts'),
  'endpoints list': () => import('./commands/endpoints-list.ts'),
  'endpoints deploy': () => import('./commands/endpoints-deploy.ts'),
  'endpoints delete': () => import('./commands/endpoints-delete.ts'),
  'endpoints logs': () => import('./commands/endpoints-logs.ts'),
  'accelerators migrate': () => import('./commands/accelerators-migrate.ts'),
  'dead-letters': () => import('./commands/dead-letters-list.ts'),
  'dead-letters list': () => import('./commands/dead-letters-list.ts'),
  'dead-letters send': () => import('./commands/dead-letters-send.ts'),
  'model inspect': () => import('./commands/model-inspect.ts'),
  'model pack': () => import('./commands/model-pack.ts'),
  containers: () => import('./commands/containers-list.ts'),
  'containers install': () => import('./commands/containers-install.ts'),
  dataset: () => import('./commands/dataset.ts'),
  verify: () => import('./commands/verify.ts'),
};

const ABOUT = 'inferdrop: files dropped into S3 become predictions, a report and a message';
const EVERYWHERE = `  --stage NAME   which deployment (default dev). AWS_ENDPOINT_URL decides where: unset means AWS.
  --help         what a command does, after its name; --version: name and version of this program`;

/**
 * Runs a command line.
 *
 * @returns the exit code
 * @throws {UsageError} for an unknown command, option or value, with the known ones
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first, second] = args;
  if (first === '--version') {
    terminal.print((await import('../report/program.ts')).PROGRAM);
    return 0;
  }
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    terminal.print(await helpOn(Object.values(COMMANDS)));
    return 0;
  }
  const name = [`${first} ${second}`, first].find((one) => Object.hasOwn(COMMANDS, one));
  const load = name === undefined || first.includes(' ') ? undefined : COMMANDS[name];
  if (name === undefined || load === undefined) throw unknownCommand(first);
  const rest = args.slice(name.split(' ').length);
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.print(await helpOn([load]));
    return 0;
  }
  return (await load()).command.call(name, rest, terminal);
}

async function helpOn(loads: readonly (typeof COMMANDS)[string][]): Promise<string> {
  const files = await Promise.all(loads.map((load) => load()));
  // "endpoints" and "endpoints list" are one command, "dead-letters" and its list another.
  const usages = new Set(files.map(({ command }) => command.usage.trim()));
  const indented = [...usages].map((usage) => usage.replace(/^/gm, '  ')).join('\n');
  return `${ABOUT}\n\n${indented}\n\n${EVERYWHERE}`;
}

function unknownCommand(first: string): UsageError {
  const verbs = Object.keys(COMMANDS).flatMap((name) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  );
  if (verbs.length > 0) return new UsageError(`${first} takes ${verbs.join(' or ')}`);
  if (first.startsWith('-'))
    return new UsageError(`the command comes before ${first}: inferdrop --help lists the commands`);
  const names = new Set(Object.keys(COMMANDS).map((name) => name.split(' ')[0]));
  return new UsageError(`there is no command ${first}; the commands are ${[...names].join(', ')}`);
}
