import pc from 'picocolors';
import { expect, it } from 'vitest';
import { statusColour } from '../../../src/cli/show/status-colour.ts';
import { type Column, toTable } from '../../../src/cli/show/table.ts';

const COLUMNS: readonly Column<string>[] = [
  { title: 'STATUS', text: (status) => status, isStatus: true },
  { title: 'AGAIN', text: (status) => status },
];
const ROWS = ['completed', 'failed', 'waiting'];

it('colours statuses alone, and keeps the columns in line', () => {
  const plain = toTable(ROWS, COLUMNS);
  expect(plain).toEqual([
    'STATUS     AGAIN',
    'completed  completed',
    'failed     failed',
    'waiting    waiting',
  ]);
  const colour = pc.createColors(true);
  const coloured = toTable(ROWS, COLUMNS, (cell) => statusColour(cell, colour));
  expect(coloured).toEqual([
    plain[0],
    `${colour.green('completed')}  completed`,
    `${colour.red('failed   ')}  failed`,
    plain[3],
  ]);
});

it.each([
  ['InService, candidate Creating', 'green'],
  ['gone', 'red'],
  ['none', undefined],
] as const)('%s is shown %s', (text, name) => {
  const colour = pc.createColors(true);
  expect(statusColour(text, colour)).toBe(name === undefined ? text : colour[name](text));
});
