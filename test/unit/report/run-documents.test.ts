import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { PROGRAM } from '../../../src/report/program.ts';
import { athenaTable } from '../../../src/report/table/athena-table.ts';
import { ERRORS_CSV } from '../../../src/report/table/errors-csv.ts';
import { inert } from '../../../src/report/text/inert.ts';
import { reportMarkdown } from '../../../src/report/text/report-markdown.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

test('a line of errors.csv has a cell for each column; that of the record is empty where a whole file failed', () => {
  expect(ERRORS_CSV.header).toBe('key,record_index,line,id,reason,detail\r\n');
  expect(ERRORS_CSV.line({ key: 'a.csv', recordIndex: 0, reason: 'not-a-number', detail: 'NaN' })).toBe(
    'a.csv,0,,,not-a-number,NaN\r\n',
  );
  expect(ERRORS_CSV.line({ key: 'b.png', recordIndex: null, reason: 'empty', detail: '0 bytes' })).toBe(
    'b.png,,,,empty,0 bytes\r\n',
  );
  const record = { key: 'c.csv', recordIndex: 16, line: 19, id: 'P17' };
  expect(ERRORS_CSV.line({ ...record, reason: 'unreadable', detail: 'is no JSON' })).toBe(
    'c.csv,16,19,P17,unreadable,is no JSON\r\n',
  );
});

test('the Athena statement makes a table named for the run, with the columns of the rows', () => {
  expect(athenaTable('Birds-v2/mon. day/000001', 's3://b/runs/rows/')).toBe(
    [
      'CREATE EXTERNAL TABLE IF NOT EXISTS `inferdrop_birds_v2_mon_day_000001` (',
      '  `key` string,',
      '  `record_index` int,',
      '  `line` int,',
      '  `id` string,',
      '  `truth` string,',
      '  `prediction` string,',
      '  `score` double,',
      '  `top_k` string,',
      '  `correct` boolean,',
      '  `error` string',
      ')',
      'STORED AS PARQUET',
      "LOCATION 's3://b/runs/rows/';",
      '',
    ].join('\n'),
  );
});

test('a name in Markdown keeps its characters', () => {
  expect(inert('a@b *c*')).toBe(String.raw`a@${'\u200b'}b \*c\*`);
});

test('documents name the program that wrote them, with its version', () => {
  expect(PROGRAM).toBe(`inferdrop ${manifest.version}`);
});

describe('the message of a run', () => {
  const REPORT = syntheticReport(2, 100);

  test('says why it failed and what to do', () => {
    const failure = { error: 'InstanceCapacity', cause: 'no *g5*', nextStep: 'Rerun later.' };
    expect(reportMarkdown({ ...REPORT, status: 'failed', failure })).toMatch(
      /^\*\*birds\/monday\/000001\*\* failed\n\nInstanceCapacity: no \\\*g5\\\*\n\nNext: Rerun later\.\n\n- Accuracy: /,
    );
  });

  test('has the six most frequent reasons for which inputs have no prediction', () => {
    const reasons = ['model-error', 'empty', 'too-large', 'key-too-long', 'deleted', 'superseded', 'odd'];
    const errorsByReason = Object.fromEntries(reasons.map((reason, at) => [reason, 1_007 - at]));
    expect(reportMarkdown({ ...REPORT, errorsByReason })).toContain(
      [
        'Without a prediction:\n',
        '- model-error: 1,007',
        '- empty: 1,006',
        '- too-large: 1,005',
        '- key-too-long: 1,004',
        '- deleted: 1,003',
        '- superseded: 1,002\n',
        'Notes:',
      ].join('\n'),
    );
  });
});
