import { expect, test } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { githubMarkdown } from '../../../src/report/text/github-markdown.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const REPORT = syntheticReport(10, 500);
const OTHER = { createdAt: '2026-11-20T13:00:00.000Z' };

const withFlips = (
  flips: Partial<NonNullable<Report['comparison']>['flips'][number]>[],
  lost = flips.length,
): Report => ({
  ...REPORT,
  comparison: {
    ...REPORT.comparison!,
    lost,
    flips: flips.map((flip) => ({
      key: 'k',
      recordIndex: 0,
      truth: 'cat',
      before: 'cat',
      now: 'dog',
      scoreBefore: 0.5,
      scoreNow: 0.75,
      ...flip,
    })),
  },
});

test('the comment of a pull request', async () => {
  await expect(githubMarkdown(REPORT, OTHER, NOW)).toMatchFileSnapshot(
    '../../golden/report/10-classes.github.md',
  );
});

test.each([
  [{ gate: { verdict: 'passed', explanation: '', isSet: true } }, '### ✅ gate passed, accuracy'],
  [{ gate: { verdict: 'failed', explanation: '', isSet: true } }, '### ❌ gate failed, accuracy'],
  [{ gate: { verdict: 'none', explanation: '', isSet: true } }, '### no verdict, accuracy'],
  [{ gate: { verdict: 'none', explanation: '', isSet: false } }, '### no gate, accuracy'],
  [{ status: 'refused', accuracy: null }, '### ❌ the run was refused\n'],
  [{ status: 'failed', accuracy: null }, '### ❌ the run failed\n'],
])('%j begins with %s', (changes, beginning) => {
  const text = githubMarkdown({ ...REPORT, ...(changes as Partial<Report>) }, undefined, NOW);
  expect(text.startsWith(beginning)).toBe(true);
});

test('the age of the compared run is told in days', () => {
  const age = (createdAt: string) => /Compared with .*/.exec(githubMarkdown(REPORT, { createdAt }, NOW))?.[0];
  expect(age('2026-11-24T01:00:00.000Z')).toMatch(/of 2026-11-24 01:00:00 UTC \(today\)\.$/);
  expect(age('2026-11-23T12:00:00.000Z')).toMatch(/\(1 day ago\)\.$/);
  expect(age('2026-08-24T12:00:00.000Z')).toMatch(/\(92 days ago\)\.$/);
});

test('only lost records are new mistakes, and of many the first twenty are listed', () => {
  const gained = { key: 'gained', before: 'dog', now: 'cat' };
  expect(githubMarkdown(withFlips([gained], 0), OTHER, NOW)).not.toContain('New mistakes');
  const text = githubMarkdown(
    withFlips(
      Array.from({ length: 30 }, (_, at) => ({ key: `k${at}` })),
      31,
    ),
    OTHER,
    NOW,
  );
  expect(text).toContain('New mistakes (20 of 31, the surest first):');
  expect(text.match(/^\| k\d+ \| cat \| cat \| dog \| 0\.75 \|$/gm)).toHaveLength(20);
});

test.each([
  ['a table', 'a | b\n| c', '| a \\| b\\\\u000a\\| c | cat |'],
  ['an element', '<img src=x>', '| \\<img src=x\\> |'],
  ['a comment', '<!-- inferdrop:p -->', '| \\<!-- inferdrop:p --\\> |'],
  ['a link', '[a](javascript:x)', '| \\[a\\](javascript:x) |'],
  ['a mention', '@everyone', '| @\u200beveryone |'],
  [
    'an address',
    'https://evil.example www.evil.example',
    '| https:\u200b//evil.example www\u200b.evil.example |',
  ],
  ['an issue', 'a/b#1 GH-1', '| a/b\\#\u200b1 GH-\u200b1 |'],
  ['an entity', '&commat;everyone &#64;a', '| \\&commat;everyone \\&\\#\u200b64;a |'],
  ['a formula', '$$x$$', '| \\$\\$x\\$\\$ |'],
])('%s in a name stays text', (_what, key, row) => {
  expect(githubMarkdown(withFlips([{ key }]), OTHER, NOW)).toContain(row);
});

test('names do not make a comment longer than GitHub takes', () => {
  const name = '<'.repeat(1_024);
  const flips = Array.from({ length: 40 }, () => ({ key: name, truth: name, before: name, now: name }));
  expect(githubMarkdown(withFlips(flips), OTHER, NOW).length).toBeLessThan(65_536);
});

test('the matrix is a table of at most ten classes, whose names are no markup', () => {
  const named = (name: string, support: number) => ({ ...REPORT.classes[0]!, name, support });
  const classes = [named('a|b', 3), named('@team', 1), named('unused', 0)];
  const table = (changes: Partial<Report>) =>
    githubMarkdown({ ...REPORT, comparison: null, classes, ...changes }, undefined, NOW).split(
      'Labels by prediction:\n\n',
    )[1];
  expect(
    table({
      confusion: [
        [0, 0, 2],
        [0, 1, 1],
        [1, 1, 1],
      ],
    }),
  ).toBe(
    [
      '| label, predicted as | a\\|b | @\u200bteam | unused |',
      '| --- | ---: | ---: | ---: |',
      '| a\\|b | **2** | 1 |  |',
      '| @\u200bteam |  | **1** |  |',
      '',
    ].join('\n'),
  );
  expect(table({ confusion: [[0, 0, 3]] })).toBeUndefined();
  expect(
    table({ classes: Array.from({ length: 11 }, (_, at) => named(`c${at}`, 1)), confusion: [[0, 1, 1]] }),
  ).toBeUndefined();
});
