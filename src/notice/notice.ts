import { HIDDEN_FILES } from '../file-kind/hidden-name.ts';
import { READING_TITLE, readingText } from '../label/reading-text.ts';
import { facts } from '../report/facts.ts';
import { labelLines } from '../report/label-lines.ts';
import type { Report } from '../report/report.ts';
import { factLines } from '../report/text/fact-lines.ts';
import { gateText } from '../report/text/gate-text.ts';
import { percent, plural } from '../text/figures.ts';
import {
  line,
  placeLines,
  reasonLines,
  remarkLines,
  runAttributes,
  runSubject,
  unreportedLines,
} from './notice-lines.ts';

/** The message that is sent once a run has ended. */
export interface Notice {
  /** At most 100 ASCII characters. */
  readonly subject: string;
  readonly body: string;
  /** Message attributes that subscribers filter by. */
  readonly attributes: Readonly<Record<string, string>>;
}

interface NoticeSource {
  readonly run: string;
  readonly bucket: string;
  readonly status: string;
  /** Undefined if the report itself could not be written. */
  readonly report: Report | undefined;
}

/** The message of a run: how it ended, its figures, and where the report is; after a failure, the cause and the remedy. */
export function toNotice({ run, bucket, status, report }: NoticeSource): Notice {
  const gate = report?.gate.verdict ?? 'none';
  const lines = [
    `Run ${line(run)}: ${headline(status, report)}`,
    '',
    ...(report === undefined
      ? unreportedLines()
      : [...failure(report), ...figures(report), ...remarkLines(report)]),
    ...placeLines(run, bucket, report !== undefined),
  ];
  return {
    subject: runSubject(run, subjectTail(status, report)),
    body: `${lines.join('\n')}\n`,
    attributes: { ...runAttributes(run, status), ...(gate !== 'none' && { gate }) },
  };
}

function subjectTail(status: string, report: Report | undefined): string {
  const accuracy =
    report === undefined || report.accuracy === null ? '' : `, accuracy ${percent(report.accuracy)}`;
  const text = report === undefined || report.gate.verdict === 'passed' ? undefined : gateText(report.gate);
  const gate = text === undefined ? '' : `, ${text}`;
  return ` ${status}${accuracy}${gate}`;
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
  return reasonLines(failed, wrong);
}

function figures(report: Report): string[] {
  const { gate } = report;
  const reading = readingText(labelLines(report)).map(line);
  return [
    ...factLines(facts(report)).map(line),
    ...(gate.verdict === 'none' && !gate.isSet ? [] : [`Gate       ${line(gate.explanation)}`]),
    '',
    ...(reading.length === 0 ? [] : [READING_TITLE, ...reading, '']),
  ];
}
