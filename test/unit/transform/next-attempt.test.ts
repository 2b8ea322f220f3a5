import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AttemptsSoFar, decideNextAttempt } from '../../../src/transform/next-attempt.ts';

type Attempt = AttemptsSoFar['attempts'][number];
const part = (number: number, objects = 100): Attempt => ({ kind: 'part', part: number, objects });
const after = (attempts: Attempt[], known: Partial<AttemptsSoFar> = {}) =>
  decideNextAttempt({
    attempts,
    lastYielded: true,
    engineFailed: false,
    parts: 1,
    missing: 0,
    limit: undefined,
    smaller: 0,
    isRefused: false,
    ...known,
  });

test('nothing is missing: fold', () => {
  expect(after([part(1)])).toEqual({ next: 'fold', reason: undefined });
  // Every input was overwritten meanwhile.
  expect(after([part(1)], { lastYielded: false })).toEqual({ next: 'fold', reason: undefined });
  expect(after([])).toEqual({ next: 'fold', reason: 'no job ran' });
});

test('the jobs of the plan come one after the other', () => {
  expect(after([part(1)], { parts: 2 })).toEqual({ next: 'part', part: 2 });
  expect(after([part(1)], { parts: 2, missing: 3 })).toEqual({ next: 'part', part: 2 });
  const half: Attempt = { kind: 'first-half', part: 1, objects: 50 };
  expect(after([part(1), half], { parts: 2, missing: 3 })).toEqual({ next: 'part', part: 2 });
});

test('what is missing goes once more, and only once', () => {
  expect(after([part(1)], { missing: 3 })).toEqual({ next: 'retry', part: 1 });
  const retry: Attempt = { kind: 'retry', part: 1, objects: 3 };
  expect(after([part(1), retry], { missing: 2 })).toEqual({ next: 'fold', reason: undefined });
  expect(after([part(1), retry], { missing: 3, lastYielded: false })).toEqual({
    next: 'fold',
    reason: undefined,
  });
});

test('a job that yields nothing is halved', () => {
  const nothing = { lastYielded: false, missing: 100 };
  const first: Attempt = { kind: 'first-half', part: 1, objects: 50 };
  const second: Attempt = { kind: 'second-half', part: 1, objects: 50 };
  expect(after([part(1)], nothing)).toEqual({ next: 'first-half', part: 1 });
  expect(after([part(1), first], nothing)).toEqual({ next: 'second-half', part: 1 });
  expect(after([part(1), first], { missing: 60 })).toEqual({ next: 'retry', part: 1 });
  expect(after([part(1), first, second], { missing: 60 })).toEqual({ next: 'retry', part: 1 });
  expect(after([part(1), first, second], { ...nothing, parts: 3 })).toEqual({
    next: 'fold',
    reason: 'both halves of a job yielded nothing',
  });
});

test('a job that yields nothing is halved and missing inputs go again, however many jobs the plan has', () => {
  const parts = [1, 2, 3, 4].map((number) => part(number));
  expect(after(parts, { parts: 5, lastYielded: false, missing: 100 })).toEqual({
    next: 'first-half',
    part: 4,
  });
  const early: Attempt = { kind: 'retry', part: 1, objects: 3 };
  expect(after([part(1), early, part(2)], { parts: 2, missing: 3 })).toEqual({ next: 'retry', part: 2 });
  expect(after([part(1), part(2, 1)], { parts: 2, lastYielded: false, missing: 1 })).toEqual({
    next: 'retry',
    part: 2,
  });
});

test('a job of one input is not halved', () => {
  expect(after([part(1, 1)], { lastYielded: false, missing: 1 })).toEqual({
    next: 'fold',
    reason: undefined,
  });
});

test('a job of one input that the engine itself failed goes once more', () => {
  const failed = { lastYielded: false, engineFailed: true, missing: 1 };
  const retry: Attempt = { kind: 'retry', part: 1, objects: 1 };
  expect(after([part(1, 1)], failed)).toEqual({ next: 'retry', part: 1 });
  expect(after([part(1, 1), retry], failed)).toEqual({ next: 'fold', reason: undefined });
  expect(after([part(1, 1)], { ...failed, missing: 0 })).toEqual({ next: 'fold', reason: undefined });
  expect(after([part(1, 1)], { ...failed, limit: 'too dear' })).toEqual({ next: 'fold', reason: 'too dear' });
  expect(after([part(1)], { ...failed, missing: 100 })).toEqual({ next: 'first-half', part: 1 });
});

test('what costs its neighbors their answers goes in smaller bundles, twice at the most', () => {
  const none = { lastYielded: false, missing: 100, smaller: 1 };
  const retry: Attempt = { kind: 'retry', part: 1, objects: 100 };
  expect(after([part(1)], none)).toEqual({ next: 'retry', part: 1 });
  expect(after([part(1), retry], { missing: 5, smaller: 1 })).toEqual({ next: 'fold', reason: undefined });
  expect(after([part(1), retry], { missing: 5, smaller: 2 })).toEqual({ next: 'retry', part: 1 });
  expect(after([part(1), retry, retry], { missing: 5, smaller: 2 }).next).toBe('fold');
});

test('a few inputs go first where all requests were refused', () => {
  const refused = { lastYielded: false, missing: 5_000, smaller: 1, isRefused: true };
  const spread: Attempt = { kind: 'spread', part: 1, objects: 64 };
  expect(after([part(1, 5_000)], refused)).toEqual({ next: 'spread', part: 1 });
  expect(after([part(1, 5_000), spread], { missing: 4_940, smaller: 1 })).toEqual({ next: 'retry', part: 1 });
});

test('past a limit nothing more is started, and it is said only where work is left', () => {
  expect(after([part(1)], { parts: 2, limit: 'too dear' })).toEqual({ next: 'fold', reason: 'too dear' });
  expect(after([part(1)], { missing: 1, limit: 'too dear' })).toEqual({ next: 'fold', reason: 'too dear' });
  expect(after([part(1)], { limit: 'too dear' })).toEqual({ next: 'fold', reason: undefined });
});

test('whatever happens, a run ends after at most three attempts beyond the plan’s own', () => {
  const outcome = fc.record({
    lastYielded: fc.boolean(),
    engineFailed: fc.boolean(),
    missing: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.infiniteStream(outcome), (parts, outcomes) => {
      const attempts: Attempt[] = [part(1)];
      for (const outcome of outcomes) {
        const decision = after([...attempts], { parts, ...outcome });
        if (decision.next === 'fold') break;
        attempts.push({ kind: decision.next, part: decision.part, objects: 50 });
        expect(attempts.length).toBeLessThanOrEqual(parts + 3);
      }
      const planned = attempts.filter(({ kind }) => kind === 'part').map((attempt) => attempt.part);
      expect(planned).toEqual(Array.from({ length: planned.length }, (_, index) => index + 1));
    }),
  );
});
