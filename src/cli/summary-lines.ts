import type { Report } from '../report/report.ts';
import type { Terminal } from './terminal.ts';
import { visible } from './terminal.ts';

/** The result of a run in a few lines for a terminal. */
export function summaryLines(report: Report, { colour }: Terminal): readonly string[] {
  const { accuracy, correct, total, quality } = report;
  const lines = [''];
  if (accuracy !== null && correct !== null) {
    const interval = quality?.accuracyInterval;
    const range = interval ? ` (95 % interval ${percent(interval.low)} to ${percent(interval.high)})` : '';
    lines.push(
      `${colour.bold(`Accuracy ${percent(accuracy)}`)}${range}: ${correct.toLocaleString('en-US')} of ${report.records.toLocaleString('en-US')} right`,
    );
  }
  lines.push(
    `${total.toLocaleString('en-US')} inputs, ${report.errors.toLocaleString('en-US')} without a prediction; ` +
      `${report.status}${report.gate.verdict === 'none' ? '' : `; gate ${report.gate.verdict}`}`,
  );
  for (const problem of report.problems) lines.push(colour.red(`  ${visible(problem.message)}`));
  if (report.failure) {
    lines.push(colour.red(`${visible(report.failure.error)}: ${visible(report.failure.cause)}`));
    lines.push(report.failure.nextStep);
  }
  return lines;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
