import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withoutTables } from '../../scripts/page-tables.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** More than a reader can take in; where it is reached, something else must become shorter. */
const MOST_WORDS = 27_610;
/** Pages that scripts write or print, and a record that no reader reads through. */
const NOT_COUNTED = [
  'docs/schema/README.md',
  'docs/models.md',
  'docs/scale.md',
  'docs/speed.md',
  'lab/mutants/judged-survivors.md',
  'lab/oracle/early-verdicts.md',
];

/** The list in lab/README.md, which is what `npm run lab` prints. */
const LABORATORIES = /^```\nflow [\s\S]*?^```/m;

function wordsOf(page: string): number {
  const text = withoutTables(readFileSync(path.join(ROOT, page), 'utf8')).replace(LABORATORIES, '');
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

test(`the documents have at most ${MOST_WORDS} words that are written by hand`, () => {
  const pages = globSync(
    ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', '{packages,examples}/*/README.md', 'lab/**/*.md'],
    { cwd: ROOT },
  )
    .map((page) => page.replaceAll(path.sep, '/'))
    .filter((page) => !NOT_COUNTED.includes(page));
  const counted = pages.map((page) => [wordsOf(page), page] as const).sort(([a], [b]) => b - a);
  expect(counted.length).toBeGreaterThan(30);
  const all = counted.reduce((sum, [words]) => sum + words, 0);
  expect(all, `${all}: ${counted.map(([words, page]) => `${page} ${words}`).join(', ')}`).toBeLessThanOrEqual(
    MOST_WORDS,
  );
});

test('the index has each page of docs, in a reader’s order', () => {
  const index = readFileSync(path.join(ROOT, 'docs/README.md'), 'utf8');
  const pages = globSync('docs/*.md', { cwd: ROOT }).map((page) => path.basename(page));
  expect(pages.filter((page) => page !== 'README.md' && !index.includes(`](${page})`))).toEqual([]);
});
