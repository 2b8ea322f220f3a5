import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { openApiDocument } from '../src/api/openapi.ts';
import { allChecks } from '../src/app/verify/all-checks.ts';
import { COMMANDS, namedCommands } from '../src/cli/command-table.ts';
import { operatorConditions } from '../src/problem/conditions.ts';
import { dollars } from '../src/text/figures.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Region of the estimates in docs/verify.md. */
const REGION = 'us-east-1';

/** A table that a page has from the code, known by the cells of its head. */
interface PageTable {
  readonly page: string;
  readonly head: readonly string[];
  rows(): readonly (readonly string[])[];
}

export const PAGE_TABLES: readonly PageTable[] = [
  {
    page: 'docs/operate.md',
    head: ['error', 'meaning', 'next step', 'alarm'],
    rows: () =>
      operatorConditions().map(({ name, meaning, next, rings }) => [
        `\`${name}\``,
        meaning,
        next,
        rings ? 'yes' : 'no',
      ]),
  },
  { page: 'docs/operate.md', head: ['alarm', 'meaning'], rows: alarms },
  { page: 'docs/deploy.md', head: ['`--param`', 'default', 'meaning'], rows: parameters },
  { page: 'docs/serving.md', head: ['route', 'answer'], rows: routes },
  {
    page: 'docs/verify.md',
    head: ['check', 'estimate', 'question'],
    rows: () =>
      allChecks.map(({ name, asks, usd }) => {
        const estimate = typeof usd === 'function' ? usd(REGION) : usd;
        return [`\`${name}\``, estimate === null ? 'reads only' : dollars(estimate), asks];
      }),
  },
  {
    page: 'docs/command-line.md',
    head: ['command', 'does'],
    rows: () => namedCommands().map(([name, { summary }]) => [`\`${typed(name)}\``, summary]),
  },
];

/** The page with its tables as the code says them. */
export function withTables(page: string, text: string): string {
  return PAGE_TABLES.filter((table) => table.page === page).reduce((before, { head, rows }) => {
    const table = tableOf(head);
    if (!table.test(before)) throw new Error(`${page} must have the table ${head.join(', ')}`);
    return before.replace(table, () => [head, head.map(() => '---'), ...rows()].map(line).join(''));
  }, text);
}

/** The text of a page without the tables that are generated. */
export function withoutTables(text: string): string {
  return PAGE_TABLES.reduce((before, { head }) => before.replace(tableOf(head), ''), text);
}

function tableOf(head: readonly string[]): RegExp {
  return new RegExp(`\\| ${head.join(' +\\| ')} +\\|\n(?:\\|.*\n)+`);
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

/** A group's second word is left out where the first stands for it. */
function typed(name: string): string {
  const [first = '', second] = name.split(' ');
  const entry = COMMANDS.get(first);
  return entry !== undefined && 'verbs' in entry && entry.alone === second ? first : name;
}

interface TemplatePart {
  readonly Resources?: Readonly<
    Record<string, { Type: string; Properties?: { AlarmName?: string; AlarmDescription?: string } }>
  >;
  readonly Parameters?: Readonly<Record<string, { Default?: string | number; Description?: string }>>;
}

function template(): readonly TemplatePart[] {
  return globSync('infra/*/*.yml', { cwd: ROOT })
    .sort()
    .map((file): TemplatePart => parse(readFileSync(path.join(ROOT, file), 'utf8'), { logLevel: 'silent' }));
}

function alarms(): readonly (readonly string[])[] {
  return template()
    .flatMap(({ Resources = {} }) => Object.values(Resources))
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .map(({ Properties: { AlarmName = '', AlarmDescription = '' } = {} }) => [
      `\`${AlarmName.replace('inferdrop-${Stage}-', '')}\``,
      AlarmDescription,
    ])
    .sort(([a = ''], [b = '']) => a.localeCompare(b));
}

function parameters(): readonly (readonly string[])[] {
  return template()
    .flatMap(({ Parameters = {} }) => Object.entries(Parameters))
    .filter(([name]) => name !== 'Stage')
    .map(([name, { Default = '', Description = '' }]) => [
      `\`${name.charAt(0).toLowerCase()}${name.slice(1)}\``,
      Default === '' ? 'none' : String(Default),
      Description,
    ]);
}

function routes(): readonly (readonly string[])[] {
  const { paths }: { paths: Readonly<Record<string, Readonly<Record<string, { summary: string }>>>> } =
    JSON.parse(JSON.stringify(openApiDocument()));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => [`\`${method.toUpperCase()} ${path}\``, summary]),
  );
}
