import { shownRecord } from '../../input/shown-place.ts';
import { READING_TITLE } from '../../label/reading-text.ts';
import { causeWithExample, failureText } from '../../problem/cause-text.ts';
import { problemLine } from '../../problem/problem.ts';
import { grouped, percent } from '../../text/figures.ts';
import { facts } from '../facts.ts';
import { labelLines } from '../label-lines.ts';
import { mostConfused } from '../most-confused.ts';
import { predictedMix } from '../predicted-mix.ts';
import type { Report } from '../report.ts';
import { factItems } from './fact-lines.ts';
import { gateText } from './gate-text.ts';
import { inert } from './inert.ts';

const SHOWN_PAIRS = 5;
const SHOWN_CLASSES = 5;
const SHOWN_REASONS = 6;
const SHOWN_ANSWERS = 3;
/** Cap on the characters of an answer. */
const MAX_ANSWER = 160;

/** A run in a few lines of Markdown that read well as plain text too: for the message, pull requests and the terminal. */
export function reportMarkdown(report: Report): string {
  const { failure, status } = report;
  const lines = [
    `**${inert(report.run)}** ${status.replaceAll('-', ' ')}`,
    '',
    ...(failure === null ? [] : [...failureLines(report, failure), '']),
    ...factItems(facts(report)),
    ...(gateText(report.gate) === undefined ? [] : ['', inert(report.gate.explanation)]),
    ...section('Most frequent confusions', pairLines(report)),
    ...section('Most often predicted', classLines(report)),
    ...section('Some answers', answerLines(report)),
    ...section('Without a prediction', reasonLines(report)),
    ...section(
      READING_TITLE,
      labelLines(report).map(({ label, text }) => `- ${label}: ${inert(text)}`),
    ),
    ...section(
      'Notes',
      report.notes.map((note) => `- ${inert(note)}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function failureLines({ problems }: Report, failure: NonNullable<Report['failure']>): string[] {
  return [
    ...(problems.length > 0
      ? problems.map((problem) => `- ${inert(problemLine(problem))}`)
      : [failureText({ error: failure.error, cause: inert(causeWithExample(failure)) })]),
    '',
    `Next: ${failure.nextStep}`,
  ];
}

function pairLines(report: Report): string[] {
  // One record of a class says nothing of the class.
  const pairs = mostConfused(report, SHOWN_PAIRS).filter(({ count }) => count > 1);
  return pairs.map(
    ({ truth, predicted, count, share }) =>
      `- ${inert(truth)} taken for ${inert(predicted)}: ${grouped(count)} (${percent(share)})`,
  );
}

function classLines(report: Report): string[] {
  return predictedMix(report)
    .slice(0, SHOWN_CLASSES)
    .map(({ name, count, share }) => `- ${inert(name)}: ${grouped(count)} (${percent(share)})`);
}

function answerLines({ answers }: Report): string[] {
  return answers.slice(0, SHOWN_ANSWERS).map(({ answer, ...place }) => {
    const cut = answer.length > MAX_ANSWER ? `${answer.slice(0, MAX_ANSWER)}…` : answer;
    return `- ${inert(shownRecord(place))}: ${inert(cut)}`;
  });
}

function reasonLines({ errorsByReason }: Report): string[] {
  return Object.entries(errorsByReason)
    .slice(0, SHOWN_REASONS)
    .map(([reason, count]) => `- ${reason}: ${grouped(count)}`);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, '', ...lines];
}
