import { expect, it } from 'vitest';
import {
  hasNewPulse,
  lastFreezingAt,
  openGeneration,
  readDropState,
  wasDoneBefore,
} from '../../../src/drop/drop-state.ts';
import { aDrop } from '../../support/a-run.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const DROP = aDrop('p/d');
const read = (...names: string[]) =>
  readDropState(
    DROP,
    names.map((name, minute) => ({ key: `state/p/d/${name}`, lastModified: at(minute) })),
  );

it('opens the first generation of a new drop', () => {
  expect(openGeneration(read())).toBe('000001');
  expect(openGeneration(read('pulse'))).toBe('000001');
});

it('opens the generation after the last that is being listed or closed', () => {
  expect(openGeneration(read('000001/freezing', 'pulse'))).toBe('000002');
  expect(openGeneration(read('000001/frozen.json'))).toBe('000002');
  expect(
    openGeneration(read('000001/ended.json', '000001/freezing', '000002/frozen.json', '000003/ended.json')),
  ).toBe('000003');
});

it('leaves reruns out', () => {
  const state = read('000001/freezing', '000001r2/frozen.json', '000007r2/frozen.json');
  expect(openGeneration(state)).toBe('000002');
  expect(state.reruns.map(({ generation }) => generation)).toEqual(['000001r2', '000007r2']);
});

it('finds when the newest listing began, abandoned generations or not', () => {
  expect(lastFreezingAt(read('000001/freezing', '000002/freezing', '000003/frozen.json'))).toEqual(at(1));
  expect(lastFreezingAt(read('000001/frozen.json'))).toBeUndefined();
});

it('knows the pulse from a generation', () => {
  expect(read('000001/freezing', 'pulse').pulseAt).toEqual(at(1));
});

it('reads the markers of each generation, whatever the order of the listing', () => {
  const state = read(
    '000002/freezing',
    '000001/ended.json',
    '000001/frozen.json',
    '000001/covered/1',
    'x/freezing',
  );
  expect(state.generations).toEqual([
    { generation: '000001', isClosed: true, hasEnded: true, endedAt: at(1) },
    { generation: '000002', isClosed: false, hasEnded: false, freezingAt: at(0) },
  ]);
  expect(state.reruns).toEqual([]);
  expect(state).not.toHaveProperty('pulseAt');
});

it('changed when the youngest of the listed objects was written', () => {
  const state = readDropState(DROP, [
    { key: 'state/p/d/pulse', lastModified: at(5) },
    { key: 'state/p/d/000001/freezing', lastModified: at(9) },
    { key: 'state/p/d/000001/frozen.json', lastModified: at(7) },
  ]);
  expect(state.changedAt).toEqual(at(9));
  expect(read().changedAt).toEqual(new Date(0));
});

it.each<[boolean, string[]]>([
  [false, []],
  [true, ['pulse']],
  [true, ['000001/freezing', 'pulse']],
  [true, ['000001/frozen.json', 'pulse']],
  [false, ['pulse', '000001/freezing']],
  [false, ['000001/freezing']],
])('uploads were seen after the newest listing: %s, of %j', (isNew, names) => {
  expect(hasNewPulse(read(...names))).toBe(isNew);
});

it('a listing that begins at the moment of the pulse has its uploads', () => {
  const objects = ['pulse', '000001/freezing'].map((name) => ({
    key: `state/p/d/${name}`,
    lastModified: at(1),
  }));
  expect(hasNewPulse(readDropState(DROP, objects))).toBe(false);
});

it.each<[boolean, string[]]>([
  [true, ['pulse', '000001/freezing', '000001/frozen.json', '000001/ended.json']],
  [false, ['pulse', '000001/freezing', '000001/frozen.json']],
  [false, ['pulse', '000001/freezing', '000001/ended.json']],
  [false, ['000001/freezing', '000001/frozen.json', '000001/ended.json', 'pulse']],
  [false, ['pulse', '000001/frozen.json', '000001/ended.json', '000002/freezing']],
  [false, ['000001/frozen.json', '000001/ended.json', '000001r2/frozen.json']],
  [true, ['000001/frozen.json', '000001/ended.json', '000001r2/frozen.json', '000001r2/ended.json']],
])('done: %s, with %j', (isDone, names) => {
  expect(wasDoneBefore(read(...names), at(30))).toBe(isDone);
});

it('is done only before a time after the last change', () => {
  const state = read('000001/frozen.json', '000001/ended.json');
  expect([0, 1, 2].map((minute) => wasDoneBefore(state, at(minute)))).toEqual([false, false, true]);
});
