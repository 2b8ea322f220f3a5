import pc from 'picocolors';
import { expect, test } from 'vitest';
import { summaryLines } from '../../../src/cli/show/summary-lines.ts';
import type { Terminal } from '../../../src/cli/show/terminal.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const silent = () => undefined;

function terminal(columns: number): Terminal {
  return {
    interactive: false,
    color: pc.createColors(false),
    columns,
    print: silent,
    note: silent,
    status: silent,
  };
}

test('right answers are counted among the records whose truth is known', () => {
  const report = { ...syntheticReport(10, 500), total: 2_003, records: 2_000 };
  const lines = summaryLines(report, terminal(100)).join('\n');
  expect(lines).toContain(`(${report.correct} of 500 right, `);
});

test.each([
  [80, 'rows: truth, columns: prediction'],
  [40, 'most frequent confusions'],
])('a terminal of %d columns shows %s', (columns, text) => {
  expect(summaryLines(syntheticReport(10, 500), terminal(columns)).join('\n')).toContain(text);
});

test('errors are counted by reason, with the first of each kind, and notes are shown', () => {
  const lines = summaryLines(syntheticReport(10, 500), terminal(100));
  expect(lines).toContain(
    'Errors     3 (without a usable prediction: 2 model-error, 1 empty; 0.60% count as errors)',
  );
  expect(lines).toContain(
    '  model-error  incoming/birds/monday/broken-0.png: HTTP 400: Unable to decode bytes as JPEG, PNG, GIF, or BMP',
  );
  expect(lines).toContain('  empty  incoming/birds/monday/broken-2.png: the object has 0 bytes');
  expect(lines).toContain('  errors.csv has each of them');
  expect(lines.filter((line) => line.startsWith('note: '))).toHaveLength(1);
});

test('the verdict is said once, and the reason of the first failure too', () => {
  const [first] = syntheticReport(10, 500).failures;
  const report = {
    ...syntheticReport(10, 500),
    gate: {
      verdict: 'none',
      isSet: true,
      explanation: 'The gate has no verdict: the labeled records are 1.',
    },
    failure: {
      error: 'NothingPredicted',
      cause: 'none of 3 inputs has a prediction: the job failed',
      example: { key: first!.key, detail: first!.detail },
      nextStep: 'Read errors.csv.',
    },
  } as const;
  const lines = summaryLines({ ...report, failures: [first!] } as never, terminal(100));
  expect(lines.filter((line) => line.includes('verdict'))).toEqual([report.gate.explanation]);
  expect(lines).toContain('NothingPredicted: none of 3 inputs has a prediction: the job failed');
  expect(lines.filter((line) => line.includes(first!.detail))).toHaveLength(1);
});
