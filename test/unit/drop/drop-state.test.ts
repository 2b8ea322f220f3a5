import { expect, it } from 'vitest';
import { lastFreezingAt, openGeneration, readDropState } from '../../../src/drop/drop-state.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const read = (...names: string[]) =>
  readDropState(
    { pipeline: 'p', drop: 'd' },
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
