import { failureText } from '../../problem/cause-text.ts';
import { problemLine } from '../../problem/problem.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { factItems, factLines } from '../text/fact-lines.ts';
import { inert } from '../text/inert.ts';
import { promotionText } from './promotion-text.ts';
import { trainingFacts } from './training-facts.ts';
import type { TrainingReport } from './training-report.ts';

/** A training in a few lines of Markdown that read well as plain text too: for the terminal and pull requests. */
export function trainingMarkdown(report: TrainingReport): string {
  const lines = [
    `**${inert(report.run)}** ${report.status}`,
    '',
    ...reasonLines(report).map(inert),
    ...factItems(trainingFacts(report)),
    '',
    ...outcomeLines(report).map(inert),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The same as plain lines, without the run's name. */
export function trainingLines(report: TrainingReport, isBilled = true): readonly string[] {
  return [...reasonLines(report), ...factLines(trainingFacts(report, isBilled)), ...outcomeLines(report)];
}

function reasonLines({ failure, problems }: TrainingReport): readonly string[] {
  if (failure === null) return [];
  const reasons = problems.length > 0 ? problems.map(problemLine) : failureText(failure).split('\n');
  return [...reasons, `Next: ${failure.nextStep}`];
}

function outcomeLines({ promotion, notes, run }: TrainingReport): readonly string[] {
  return [
    ...(promotion === null ? [] : [promotionText(promotion)]),
    ...(promotion?.promotion === 'asked' ? [`inferdrop promote ${quoted(run)}`] : []),
    ...notes.map((note) => `Note: ${note}`),
  ];
}
