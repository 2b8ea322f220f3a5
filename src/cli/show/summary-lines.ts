import { shownPlace } from '../../input/shown-place.ts';
import { readingText } from '../../label/reading-text.ts';
import { failureText } from '../../problem/cause-text.ts';
import { problemLine } from '../../problem/problem.ts';
import { facts } from '../../report/facts.ts';
import { labelLines } from '../../report/label-lines.ts';
import type { Report } from '../../report/report.ts';
import { terminalMatrix } from '../../report/terminal/terminal-matrix.ts';
import { terminalMix } from '../../report/terminal/terminal-mix.ts';
import { factLines } from '../../report/text/fact-lines.ts';
import { gateText } from '../../report/text/gate-text.ts';
import { laptopInUse } from '../application.ts';
import { statusColor } from './status-color.ts';
import { type Terminal, visible } from './terminal.ts';

/** Cap on the failures that a terminal shows, one for each distinct detail. */
const SHOWN_FAILURES = 5;

/** The result of a run in a few lines for a terminal. */
export function summaryLines(report: Report, terminal: Terminal): readonly string[] {
  const { color } = terminal;
  return [
    '',
    ...factLines(facts(report, laptopInUse() === undefined)).map((line, at) =>
      at === 0 ? color.bold(visible(line)) : visible(line),
    ),
    statusColor(report.status, color),
    ...(gateText(report.gate) === undefined ? [] : [visible(report.gate.explanation)]),
    ...pictureLines(report, terminal),
    ...readingText(labelLines(report)).map((one) => visible(one)),
    ...errorLines(report, color),
    ...report.notes.map((note) => color.dim(`note: ${visible(note)}`)),
    ...report.problems.map((problem) => color.red(`  ${visible(problemLine(problem))}`)),
    ...failureLines(report, color),
  ];
}

type Color = Terminal['color'];

function pictureLines(report: Report, { color, columns }: Terminal): readonly string[] {
  const matrix = terminalMatrix(report, { right: color.green, wrong: color.red, muted: color.dim }, columns);
  return [matrix, terminalMix(report, color.dim)]
    .filter((text) => text !== '')
    .flatMap((text) => ['', text, '']);
}

/** The first failed input for each distinct detail. */
function errorLines({ errors, failures }: Report, color: Color): readonly string[] {
  if (errors === 0) return [];
  const said = Map.groupBy(failures, ({ reason, detail }) => `${reason} ${detail}`);
  const shown = [...said.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
  return [
    'Without a prediction:',
    ...shown
      .slice(0, SHOWN_FAILURES)
      .map(({ reason, detail, ...place }) => visible(`  ${reason}  ${shownPlace(place)}: ${detail}`)),
    ...(Math.min(shown.length, SHOWN_FAILURES) < errors ? [color.dim('  errors.csv has each of them')] : []),
  ];
}

/** Lines on why a run failed. Problems are more specific than the error that carried them; the first input's failure is shown above. */
function failureLines({ failure, problems }: Report, color: Color): readonly string[] {
  if (!failure) return [];
  const cause = problems.length > 0 ? [] : [color.red(visible(failureText(failure)))];
  return [...cause, failure.nextStep];
}
