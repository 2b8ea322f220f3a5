import { grouped } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { inert } from './inert.ts';

/** Cap on the classes of a table: GitHub's column of a comment is some 800 pixels wide. */
const MAX_CLASSES = 10;
const LONGEST_NAME = 24;

/**
 * The confusion matrix as a Markdown table, a row for each label and a column for each prediction; empty if nothing was confused,
 * and for more than ten classes; the list of confusions tells their worst ones.
 */
export function matrixTable({ classes, confusion }: Pick<Report, 'classes' | 'confusion'>): string[] {
  if (classes.length > MAX_CLASSES || confusion.every(([truth, predicted]) => truth === predicted)) return [];
  const counts = new Map(confusion.map(([truth, predicted, count]) => [`${truth}-${predicted}`, count]));
  const names = classes.map(({ name }) => inert(shortened(name)));
  const rows = names.flatMap((name, truth) => {
    if ((classes[truth]?.support ?? 0) === 0) return [];
    const cells = names.map((_, predicted) => {
      const count = counts.get(`${truth}-${predicted}`) ?? 0;
      return truth === predicted ? `**${grouped(count)}**` : count === 0 ? '' : grouped(count);
    });
    return [`| ${[name, ...cells].join(' | ')} |`];
  });
  return [
    `| label, predicted as | ${names.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(names.length)}`,
    ...rows,
  ];
}

function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME).toWellFormed()}…`;
}
