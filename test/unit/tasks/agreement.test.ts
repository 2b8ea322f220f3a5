import { expect, test } from 'vitest';
import { disagreement } from '../../../src/tasks/agreement.ts';

const answer = (scores: number[], predicted = scores.indexOf(Math.max(...scores))) => ({
  predicted,
  score: scores[predicted],
  scores,
});
const bare = (predicted: number, score?: number) => ({ predicted, score, scores: undefined });

test('the last digits may differ, as between processors', () => {
  expect(disagreement(answer([0.1, 0.9]), answer([0.10004, 0.89996]))).toBeUndefined();
  expect(disagreement(answer([1e6, 5]), answer([1e6 + 10, 5]))).toBeUndefined();
});

test('two classes with nearly one score may change places', () => {
  expect(disagreement(answer([0.50001, 0.49999]), answer([0.49999, 0.50001]))).toBeUndefined();
});

test.each([
  [answer([0.1, 0.9]), answer([0.9, 0.1]), 'differ from batch'],
  [answer([0.1, 0.9]), answer([0.1, 0.9, 0]), '3 scores, batch gave 2'],
  [answer([0.1, 0.9]), answer([0.1, Number.NaN]), 'differ from batch'],
  [bare(3), bare(4), 'class 4, batch gave 3'],
  [bare(3, 0.5), bare(3, 0.7), 'score 0.7, batch gave 0.5'],
  [answer([0.1, 0.9]), bare(0, 0.9), 'class 0, batch gave 1'],
  [bare(0, 0.9), answer([0.1, 0.9]), 'class 1, batch gave 0'],
])('a different answer is reported', (batch, live, text) => {
  expect(disagreement(batch, live)).toContain(text);
});

test('infinite scores agree with themselves', () => {
  expect(disagreement(answer([-Infinity, 3]), answer([-Infinity, 3]))).toBeUndefined();
});

test.each([
  [bare(3, 0.5), bare(3, 0.5004)],
  [bare(3, 0.5), bare(3)],
  [bare(3), bare(3, 0.5)],
  [answer([0.1, 0.9]), bare(1, 0.9)],
  [answer([0, 1]), answer([-0, 1])],
])('%j and %j agree', (batch, live) => {
  expect(disagreement(batch, live)).toBeUndefined();
});
