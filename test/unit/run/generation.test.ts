import { describe, expect, it } from 'vitest';
import {
  formatGeneration,
  generationBefore,
  isRepetition,
  nextRepetition,
  parseGeneration,
} from '../../../src/run/generation.ts';

describe('generations', () => {
  it('count from 000001', () => {
    expect([1, 12, 999_999].map(formatGeneration)).toEqual(['000001', '000012', '999999']);
  });

  it.each([0, 1_000_000, 1.5, Number.NaN])('have no number %s', (number) => {
    expect(() => formatGeneration(number)).toThrow(
      `generation must be 1..999999, is ${number}: start a new drop`,
    );
  });

  it('are read with their repetition', () => {
    expect(parseGeneration('000012')).toEqual({ number: 12, kind: undefined, repetition: 1 });
    expect(parseGeneration('000012r3')).toEqual({ number: 12, kind: 'r', repetition: 3 });
    expect(parseGeneration('000012r1234')).toEqual({ number: 12, kind: 'r', repetition: 1234 });
    expect(parseGeneration('000012s1')).toEqual({ number: 12, kind: 's', repetition: 1 });
    for (const text of [
      '12',
      '0000012',
      '000012r',
      'pulse',
      '000012r12345',
      'x000012',
      '000012x',
      '000012rs1',
      '000012s',
      '',
    ])
      expect([text, parseGeneration(text)]).toEqual([text, undefined]);
  });

  it('repeat another by their letter', () => {
    expect(['000001', '000001r2', '999999r9999', '000001s1', 'pulse'].map(isRepetition)).toEqual([
      ...[false, true, true, true, false],
    ]);
  });

  it('have one before them, but for the first and for repetitions', () => {
    expect(['000001', '000002', '000100', '000002r2', '000002s1', 'pulse'].map(generationBefore)).toEqual([
      undefined,
      '000001',
      '000099',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('nextRepetition', () => {
  it('counts on from all that there are', () => {
    expect(nextRepetition('r', '000001', [])).toBe('000001r2');
    expect(nextRepetition('r', '000001', ['000001', '000001r2', '000001r9', '000002r40', 'pulse'])).toBe(
      '000001r10',
    );
    expect(nextRepetition('r', '000001r3', [])).toBe('000001r4');
    expect(nextRepetition('r', '000001', ['000002r7', 'state'])).toBe('000001r2');
    expect(nextRepetition('r', '000001s5', ['000001', '000001s5'])).toBe('000001r2');
    expect(nextRepetition('s', '000001r7', ['000001', '000001r7'])).toBe('000001s1');
    expect(nextRepetition('s', '000001', ['000001s1', '000001r4', '000002s9'])).toBe('000001s2');
    expect(() => nextRepetition('r', 'pulse', ['000001'])).toThrow('generation must be 1..999999, is NaN');
  });
});

it('a generation that predicts what a sample left has numbers of its own', () => {
  expect(parseGeneration('000004c2')).toEqual({ number: 4, kind: 'c', repetition: 2 });
  expect(nextRepetition('c', '000004', ['000004', '000004r2', '000004s1'])).toBe('000004c1');
  expect(nextRepetition('c', '000004s1', ['000004c1'])).toBe('000004c2');
  expect(generationBefore('000004c1')).toBeUndefined();
});
