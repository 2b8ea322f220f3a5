import { describe, expect, it } from 'vitest';
import {
  formatGeneration,
  generationBefore,
  isRerun,
  nextRerun,
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
    expect(parseGeneration('000012')).toEqual({ number: 12, repetition: 1 });
    expect(parseGeneration('000012r3')).toEqual({ number: 12, repetition: 3 });
    expect(parseGeneration('000012r1234')).toEqual({ number: 12, repetition: 1234 });
    for (const text of ['12', '0000012', '000012r', 'pulse', '000012r12345', 'x000012', '000012x', ''])
      expect([text, parseGeneration(text)]).toEqual([text, undefined]);
  });

  it('are reruns by their repetition', () => {
    expect(['000001', '000001r2', '999999r9999'].map(isRerun)).toEqual([false, true, true]);
  });

  it('have one before them, but for the first and for reruns', () => {
    expect(['000001', '000002', '000100', '000002r2', 'pulse'].map(generationBefore)).toEqual([
      undefined,
      '000001',
      '000099',
      undefined,
      undefined,
    ]);
  });
});

describe('nextRerun', () => {
  it('counts on from all that there are', () => {
    expect(nextRerun('000001', [])).toBe('000001r2');
    expect(nextRerun('000001', ['000001', '000001r2', '000001r9', '000002r40', 'pulse'])).toBe('000001r10');
    expect(nextRerun('000001r3', [])).toBe('000001r4');
    expect(nextRerun('000001', ['000002r7', 'state'])).toBe('000001r2');
    expect(() => nextRerun('pulse', ['000001'])).toThrow('generation must be 1..999999, is NaN');
  });
});
