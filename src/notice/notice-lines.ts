import { causeWithExample, failureText } from '../problem/cause-text.ts';
import { type Problem, problemLine } from '../problem/problem.ts';
import type { Report } from '../report/report.ts';
import { nextStep } from '../report/text/next-step.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { parseRunId } from '../run/run-id.ts';
import { grouped, plural } from '../text/figures.ts';
import { quoted } from '../text/shell-quoted.ts';
import { shorten, toAsciiText, toPlainText } from './plain-text.ts';

/** Cap of SNS on the characters of a subject. */
export const MAX_SUBJECT_LENGTH = 100;
const MAX_ATTRIBUTE_LENGTH = 256;
const MAX_LINE_LENGTH = 2_000;
const MAX_LISTED = 20;

/** The subject of a run's message; the run's name is shortened where `tail` leaves too little room. */
export function runSubject(run: string, tail: string): string {
  const head = 'inferdrop: ';
  return toAsciiText(
    `${head}${shorten(toAsciiText(run), MAX_SUBJECT_LENGTH - head.length - tail.length)}${tail}`,
  );
}

/** The attributes of every run's message. */
export function runAttributes(run: string, status: string): Readonly<Record<string, string>> {
  const { pipeline = '' } = parseRunId(run) ?? {};
  return { pipeline, status, run: shorten(line(run), MAX_ATTRIBUTE_LENGTH) };
}

/** Why a run ended early, and what to do. */
export function reasonLines(failure: NonNullable<Report['failure']>, problems: readonly Problem[]): string[] {
  const cause =
    problems.length === 0 ? causeWithExample(failure) : `${plural(problems.length, 'problem')}, named below`;
  return [
    `Reason     ${line(failureText({ error: failure.error, cause }))}`,
    `Next step  ${line(failure.nextStep)}`,
    '',
  ];
}

/** Lines instead of a report that could not be written. */
export function unreportedLines(): string[] {
  return ['The report could not be written.', `Next step  ${nextStep({ error: '' })}`, ''];
}

/** Lines with the problems of a run's configuration, and further remarks. */
export function remarkLines({
  problems,
  notes,
}: {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}): string[] {
  return [...listLines('What to correct', problems.map(problemLine)), ...listLines('Notes', notes)];
}

/** The first texts of a list below its title; nothing where it is empty. */
function listLines(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const more = texts.length - MAX_LISTED;
  return [
    title,
    ...texts.slice(0, MAX_LISTED).map((text) => `- ${line(text)}`),
    ...(more > 0 ? [`- and ${grouped(more)} more in the report`] : []),
    '',
  ];
}

/** Where the report of a run is, if there is one, and its files. */
export function placeLines(run: string, bucket: string, hasReport: boolean): string[] {
  const parts = parseRunId(run);
  if (parts === undefined) return [];
  const files = `Files      ${line(`s3://${bucket}/${bucketLayout.run(parts)}`)}`;
  if (!hasReport) return [files];
  return [
    `Report     s3://${bucket}/${line(bucketLayout.reportHtml(parts))}`,
    files,
    `Command    inferdrop report ${quoted(line(run))}`,
  ];
}

/** Text on one line of a message. */
export function line(text: string): string {
  return shorten(toPlainText(text), MAX_LINE_LENGTH);
}
