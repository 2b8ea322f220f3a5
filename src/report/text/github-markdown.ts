import { shownRecord } from '../../input/shown-place.ts';
import { type Flip, flipKind } from '../../metric/flip.ts';
import { moment } from '../../text/dates.ts';
import { grouped, percent, plural, short } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { inert } from './inert.ts';
import { matrixTable } from './matrix-table.ts';
import { reportMarkdown } from './report-markdown.ts';

/** Cap on the listed mistakes: a comment is read, the report has the rest. */
const SHOWN_MISTAKES = 20;
const LONGEST_NAME = 120;
const DAY_MS = 86_400_000;

const VERDICTS = { passed: '✅ gate passed', failed: '❌ gate failed', none: 'no verdict' } as const;

/**
 * A run as the comment of a pull request, in GitHub's Markdown: verdict, summary, the comparison with another run, and the mistakes that
 * are new in it. Nothing of a user's name is markup, a mention or a link.
 *
 * @param other the run of `report.comparison`, if it's compared with one
 */
export function githubMarkdown(
  report: Report,
  other: Pick<Report, 'createdAt'> | undefined,
  now: Date,
): string {
  const { comparison } = report;
  const matrix = matrixTable(report);
  const lines = [
    ...[`### ${verdictText(report)}`, '', reportMarkdown(report).trimEnd()],
    ...(matrix.length === 0 ? [] : ['', 'Labels by prediction:', '', ...matrix]),
  ];
  if (comparison !== null) {
    if (other !== undefined)
      lines.push(
        '',
        `Compared with ${inert(comparison.baseline)}, of ${ageText(new Date(other.createdAt), now)}.`,
      );
    lines.push(...mistakeLines(comparison));
  }
  return `${lines.join('\n')}\n`;
}

function verdictText({ gate, status, accuracy }: Report): string {
  if (status === 'failed') return '❌ the run failed';
  if (status === 'canceled' || status === 'refused') return `❌ the run was ${status}`;
  const figure = accuracy === null ? '' : `, accuracy ${percent(accuracy)}`;
  return `${gate.isSet || gate.verdict !== 'none' ? VERDICTS[gate.verdict] : 'no gate'}${figure}`;
}

/** Age of the compared run: an old one says little of a change. */
function ageText(at: Date, now: Date): string {
  const days = Math.floor((now.getTime() - at.getTime()) / DAY_MS);
  const age = days < 1 ? 'today' : `${plural(days, 'day')} ago`;
  return `${moment(at)} (${age})`;
}

function mistakeLines({ flips, lost }: NonNullable<Report['comparison']>): string[] {
  const shown = flips.filter((flip) => flipKind(flip) === 'lost').slice(0, SHOWN_MISTAKES);
  if (shown.length === 0) return [];
  const title =
    lost > shown.length
      ? `New mistakes (${shown.length} of ${grouped(lost)}, the surest first)`
      : 'New mistakes';
  return [
    ...['', `${title}:`, '', '| input | label | before | now | score |', '| --- | --- | --- | --- | --- |'],
    ...shown.map(mistakeRow),
  ];
}

function mistakeRow({ truth, before, now, scoreNow, ...place }: Flip): string {
  const names = [shownRecord(place), truth ?? '', before, now].map((text) => inert(shortened(text)));
  return `| ${[...names, scoreNow === null ? '' : short(scoreNow, 3)].join(' | ')} |`;
}

/** The end of a name tells more than its beginning, which is the folder of the drop. */
function shortened(text: string): string {
  return text.length <= LONGEST_NAME ? text : `…${text.slice(-LONGEST_NAME).toWellFormed()}`;
}
