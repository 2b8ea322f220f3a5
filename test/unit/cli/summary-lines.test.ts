import pc from 'picocolors';
import { expect, test } from 'vitest';
import { summaryLines } from '../../../src/cli/summary-lines.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const silent = () => undefined;

function terminal(columns: number): Terminal {
  return {
    interactive: false,
    colour: pc.createColors(false),
    columns,
    print: silent,
    note: silent,
    status: silent,
  };
}

test('right answers are counted among the records whose truth is known', () => {
  const report = { ...syntheticReport(10, 500), total: 2_003, records: 2_000 };
  const lines = summaryLines(report, terminal(100)).join('\n');
  expect(lines).toContain(`: ${report.correct} of 500 right`);
});

test.each([
  [80, 'rows: truth, columns: prediction'],
  [40, 'most frequent confusions'],
])('a terminal of %d columns shows %s', (columns, text) => {
  expect(summaryLines(syntheticReport(10, 500), terminal(columns)).join('\n')).toContain(text);
});
