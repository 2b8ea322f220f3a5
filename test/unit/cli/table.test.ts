import pc from 'picocolors';
import { expect, it } from 'vitest';
import { statusColor } from '../../../src/cli/show/status-color.ts';
import { type Column, toTable } from '../../../src/cli/show/table.ts';

const COLUMNS: readonly Column<string>[] = [
  { title: 'STATUS', text: (status) => status, isStatus: true },
  { title: 'AGAIN', text: (status) => status },
];
const ROWS = ['completed', 'failed', 'waiting'];

it('colors statuses alone, and keeps the columns in line', () => {
  const plain = toTable(ROWS, COLUMNS);
  expect(plain).toEqual([
    'STATUS     AGAIN',
    'completed  completed',
    'failed     failed',
    'waiting    waiting',
  ]);
  const color = pc.createColors(true);
  const colored = toTable(ROWS, COLUMNS, (cell) => statusColor(cell, color));
  expect(colored).toEqual([
    plain[0],
    `${color.green('completed')}  completed`,
    `${color.red('failed   ')}  failed`,
    plain[3],
  ]);
});

it.each([
  ['InService, candidate Creating', 'green'],
  ['gone', 'red'],
  ['none', undefined],
] as const)('%s is shown %s', (text, name) => {
  const color = pc.createColors(true);
  expect(statusColor(text, color)).toBe(name === undefined ? text : color[name](text));
});
