import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { countError, countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { createTally } from '../../../src/metric/tally.ts';
import { buildReport } from '../../../src/report/build-report.ts';
import { facts } from '../../../src/report/facts.ts';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import { reportMarkdown } from '../../../src/report/text/report-markdown.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

/** Three files of a thousand records each, of which every tenth has no label. */
function joined() {
  const tally = createTally(new ClassList(['cat', 'dog']), 0);
  tally.inputs = 3;
  for (let record = 0; record < 3_000; record++) {
    if (record % 10 === 0) countError(tally, 'truth-missing');
    else
      countOutcome(tally, {
        key: 'incoming/pets/monday/a.csv',
        recordIndex: record,
        truth: record % 2,
        predicted: record % 2,
        scores: undefined,
        scoreIndex: undefined,
        distribution: false,
        confidence: undefined,
      });
  }
  const frame = { ...syntheticReport(2, 10), failures: [], notes: [], comparison: null };
  return buildReport(frame, tally, metricsOf(tally, [1]));
}

test('errors of records are a share of the records, not of the files that hold them', () => {
  const page = reportHtml(joined());
  expect(page).toContain('300 of 3,000. All of them are in <a data-file="errors.csv">errors.csv</a>.');
  expect(page).toContain('300 <span class="muted">10.0%</span>');
  expect(reportMarkdown(joined())).toContain(
    '- Inputs: 3 (2,700 records predicted)\n- Errors: 300 (without a usable prediction: 300 truth-missing; 10.00% count as errors)\n',
  );
});

test.each([
  [{ total: 1, records: 1, errors: 0 }, ['1', undefined], 'none'],
  [{ total: 2_003, records: 2_000, errors: 3 }, ['2,003', undefined], '3'],
  [{ total: 1, records: 500, errors: 0 }, ['1', '500 records predicted'], 'none'],
  [{ total: 3, records: 2, errors: 2 }, ['3', '2 records predicted'], '2'],
  [{ total: 3, records: 0, errors: 0 }, ['3', undefined], undefined],
])('%o is written as %j inputs and %s errors', (counts, inputs, errors) => {
  const named = new Map(facts({ ...joined(), ...counts }).map((fact) => [fact.label, fact]));
  expect([named.get('Inputs')?.value, named.get('Inputs')?.note]).toEqual(inputs);
  expect(named.get('Errors')?.value).toBe(errors);
});

test('inputs that no job was started for are described', () => {
  const page = reportHtml({ ...joined(), errors: 2, errorsByReason: { 'not-attempted': 2 } });
  expect(page).toContain('No job was started for it <span class="key muted">not-attempted</span>');
});
