import { type DefinedCommand, EXIT_CODES, type Option } from '../define-command.ts';
import type { Terminal } from '../show/terminal.ts';
import { wrapText } from '../show/wrap-text.ts';
import { helpWidth, twoColumns } from './two-columns.ts';

/** Text of `--help` after a command's name. */
export function commandHelp(name: string, command: DefinedCommand, terminal: Terminal): readonly string[] {
  const { about, options, exitCodes, examples, page } = command;
  const { bold } = terminal.color;
  const width = helpWidth(terminal);
  const rows = Object.entries(options).map(
    ([long, option]) => [optionName(long, option), optionText(option)] as const,
  );
  return [
    ...wrapText(about, width),
    '',
    bold('Usage'),
    `  ${usageLine(name, command)}`,
    ...(rows.length === 0 ? [] : ['', bold('Options'), ...twoColumns(rows, width)]),
    '',
    bold('Exit codes'),
    ...twoColumns(Object.entries({ ...EXIT_CODES, ...exitCodes }), width),
    '',
    bold(examples.length === 1 ? 'Example' : 'Examples'),
    ...examples.map((example) => `  ${example}`),
    '',
    bold('Read more'),
    `  ${page}`,
  ];
}

/** The form of the call. */
function usageLine(name: string, { operand, options }: DefinedCommand): string {
  const entries = Object.entries(options);
  const required = entries.filter(([, option]) => option.required === true);
  return [
    'inferdrop',
    name,
    ...(operand === undefined ? [] : [operand]),
    ...required.map(([long, option]) => `--${long} ${option.value}`),
    ...(entries.length > required.length ? ['[OPTIONS]'] : []),
  ].join(' ');
}

function optionName(long: string, { short, value }: Option): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${long}${value === undefined ? '' : ` ${value}`}`;
}

function optionText({ text, required, multiple, default: initial }: Option): string {
  const remarks = [
    ...(required === true ? ['required'] : []),
    ...(multiple === true ? ['repeatable'] : []),
    ...(typeof initial === 'string' ? [`default: ${initial}`] : []),
  ];
  return remarks.length === 0 ? text : `${text} (${remarks.join(', ')})`;
}
