import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { noLabelChanges } from '../../../src/label/label-changes.ts';
import { facts } from '../../../src/report/facts.ts';
import { factRows } from '../../../src/report/page/fact-rows.ts';
import { Report } from '../../../src/report/report.ts';

const GOLDEN = path.join(import.meta.dirname, '..', '..', 'golden', 'report', '10-classes.json');
const REPORT = Report.parse(JSON.parse(readFileSync(GOLDEN, 'utf8')));
const LEDGER = {
  asked: 1_000,
  distinct: 1_000,
  labeled: 900,
  answered: 890,
  right: 880,
  setAside: 0,
  uncounted: 0,
  copies: 0,
  clusters: null,
};
const warned = (report: Partial<Report>) =>
  facts({ ...REPORT, ...report }).flatMap(({ label, warns }) => (warns === true ? [label] : []));
const changes = (seenToward: number) => ({
  ...noLabelChanges(),
  compared: 10,
  toward: 2,
  seenToward,
  since: ['birds/friday/000001'],
  right: 7,
  labeled: 10,
  review: null,
});

test.each([
  ['nine tenths of the inputs have a label', { ledger: LEDGER }, []],
  ['fewer have one', { ledger: { ...LEDGER, labeled: 899 } }, ['Rests on']],
  ['a lost file has an unknown number of records', { ledger: { ...LEDGER, uncounted: 1 } }, ['Rests on']],
  ['labels changed in favor of the model after it answered', { labelChanges: changes(2) }, ['Labels']],
  ['a blind review changed them', { labelChanges: changes(0) }, []],
])('%s', (_, report, labels) => {
  expect(warned(report)).toEqual(labels);
});

test('a warning is orange on the page', () => {
  const page = (warns: boolean) => factRows([{ label: 'Rests on', value: '59 right', warns }]).markup;
  expect(page(true)).toContain('<dd class="bad">59 right');
  expect(page(false)).toContain('<dd>59 right');
});
