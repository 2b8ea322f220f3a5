import { HIDDEN_FILES } from '../drop/drop-key.ts';
import { problemLine } from '../problem/problem.ts';
import { comparisonText } from '../report/comparison-text.ts';
import { dollars, duration, grouped, percent, plural } from '../report/figures.ts';
import { nextStep } from '../report/next-step.ts';
import { reasonsText } from '../report/reasons-text.ts';
import type { Report } from '../report/report.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { parseRunId } from '../run/run-id.ts';
import { quoted, shorten, toAsciiText, toPlainText } from './plain-text.ts';

/** The message that is sent once a run has ended. */
export interface Notice {
  /** At most 100 ASCII characters. */
  readonly subject: string;
  readonly body: string;
  /** Message attributes that subscribers filter by. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface NoticeSource {
  readonly run: string;
  readonly bucket: string;
  readonly status: string;
  /** Undefined where the report itself could not be written. */
  readonly report: Report | undefined;
}

const MAX_SUBJECT_LENGTH = 100;
const MAX_ATTRIBUTE_LENGTH = 256;
const MAX_PROBLEMS = 20;
const MAX_LINE_LENGTH = 2_000;

/** The message of a run: how it ended, its figures, where the report is; after a failure why, and what to do. */
export function toNotice({ run, bucket, status, report }: NoticeSource): Notice {
  const { pipeline = '' } = parseRunId(run) ?? {};
  const gate = report?.gate.verdict ?? 'none';
  const lines = [
    `Run ${line(run)}: ${headline(status, report)}`,
    '',
    ...(report === undefined
      ? unreported()
      : [...failure(report), ...figures(report), ...problems(report), ...notes(report)]),
    ...places(run, bucket, report),
  ];
  return {
    subject: toSubject(run, status, report),
    body: `${lines.join('\n')}\n`,
    attributes: {
      pipeline,
      status,
      run: shorten(line(run), MAX_ATTRIBUTE_LENGTH),
      ...(gate !== 'none' && { gate }),
    },
  };
}

function toSubject(run: string, status: string, report: Report | undefined): string {
  const accuracy =
    report === undefined || report.accuracy === null ? '' : `, accuracy ${percent(report.accuracy)}`;
  const gate = report?.gate.verdict === 'failed' ? ', gate failed' : '';
  const tail = ` ${status}${accuracy}${gate}`;
  const head = 'inferdrop: ';
  return toAsciiText(
    `${head}${shorten(toAsciiText(run), MAX_SUBJECT_LENGTH - head.length - tail.length)}${tail}`,
  );
}

function headline(status: string, report: Report | undefined): string {
  if (report === undefined || report.total === 0) return status;
  const accuracy = report.accuracy === null ? '' : `, accuracy ${percent(report.accuracy)}`;
  return `${status}, ${plural(report.total, 'input')}${accuracy}`;
}

function failure({ failure: failed, status, problems: wrong }: Report): string[] {
  if (failed === null) {
    if (status !== 'empty') return [];
    return [
      'The drop had no file that a model could read when it became quiet.',
      `Next step  Upload files to it; reserved names (job.json, labels.*, _READY) do not count, nor do ${HIDDEN_FILES}.`,
      '',
    ];
  }
  return [
    `Reason     ${line(failed.error)}: ${wrong.length === 0 ? line(failed.cause) : problemCount(wrong.length)}`,
    `Next step  ${line(failed.nextStep)}`,
    '',
  ];
}

function problemCount(count: number): string {
  return count === 1 ? '1 problem, named below' : `${grouped(count)} problems, named below`;
}

function figures(report: Report): string[] {
  const { quality, total, records, errors, errorsByReason, gate } = report;
  const reasons = line(reasonsText(errorsByReason));
  return [
    ...(quality === null
      ? []
      : [
          `Accuracy   ${percent(quality.accuracy, 2)}, ${grouped(quality.correct)} of ${grouped(quality.labelled)} (95 % interval ${percent(quality.accuracyInterval.low, 2)} to ${percent(quality.accuracyInterval.high, 2)})`,
        ]),
    ...(total === 0 ? [] : [`Inputs     ${grouped(total)}`]),
    ...(records + errors > total ? [`Records    ${grouped(records)} with a prediction`] : []),
    ...(errors === 0
      ? []
      : [`Errors     ${grouped(errors)} without a prediction${reasons === '' ? '' : ` (${reasons})`}`]),
    `Duration   ${duration(report.seconds)}`,
    `Cost       ${dollars(report.costUsd)} for transform instances`,
    ...(report.comparison === null ? [] : [`Change     ${line(comparisonText(report.comparison))}`]),
    ...(gate.verdict === 'none' ? [] : [`Gate       ${gate.verdict}: ${line(gate.explanation)}`]),
    '',
  ];
}

function problems(report: Report): string[] {
  if (report.problems.length === 0) return [];
  const some = report.problems.slice(0, MAX_PROBLEMS).map((problem) => `- ${line(problemLine(problem))}`);
  const more = report.problems.length - some.length;
  return ['What to correct', ...some, ...(more > 0 ? [`- and ${grouped(more)} more in the report`] : []), ''];
}

function notes(report: Report): string[] {
  if (report.notes.length === 0) return [];
  return ['Notes', ...report.notes.slice(0, MAX_PROBLEMS).map((note) => `- ${line(note)}`), ''];
}

function unreported(): string[] {
  return ['The report could not be written.', `Next step  ${nextStep('')}`, ''];
}

function places(run: string, bucket: string, report: Report | undefined): string[] {
  const parts = parseRunId(run);
  if (parts === undefined) return [];
  const folder = `s3://${bucket}/${bucketLayout.run(parts)}`;
  if (report === undefined) return [`Files      ${line(folder)}`];
  return [
    `Report     s3://${bucket}/${line(bucketLayout.reportHtml(parts))}`,
    `Files      ${line(folder)}`,
    `Command    inferdrop report ${quoted(line(run))}`,
  ];
}

function line(text: string): string {
  return shorten(toPlainText(text), MAX_LINE_LENGTH);
}
