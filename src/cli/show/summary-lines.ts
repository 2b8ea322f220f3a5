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
import { statusColour } from './status-colour.ts';
import { type Terminal, visible } from './terminal.ts';

/** Cap on the failures that a terminal shows, one for each distinct detail. */
const SHOWN_FAILURES = 5;

/** The result of a run in a few lines for a terminal. */
export function summaryLines(report: Report, terminal: Terminal): readonly string[] {
  const { colour } = terminal;
  return [
    '',
    ...factLines(facts(report, laptopInUse() === undefined)).map((line, at) =>
      at === 0 ? colour.bold(visible(line)) : visible(line),
    ),
    statusColour(report.status, colour),
    ...(gateText(report.gate) === undefined ? [] : [visible(report.gate.explanation)]),
    ...pictureLines(report, terminal),
    ...readingText(labelLines(report)).map((one) => visible(one)),
    ...errorLines(report, colour),
    ...report.notes.map((note) => colour.dim(`note: ${visible(note)}`)),
    ...report.problems.map((problem) => colour.red(`  ${visible(problemLine(problem))}`)),
    ...failureLines(report, colour),
  ];
}

type Colour = Terminal['colour'];

function pictureLines(report: Report, { colour, columns }: Terminal): readonly string[] {
  const matrix = terminalMatrix(
    report,
    { right: colour.green, wrong: colour.red, muted: colour.dim },
    columns,
  );
  return [matrix, terminalMix(report, colour.dim)]
    .filter((text) => text !== '')
    .flatMap((text) => ['', text, '']);
}

/** The first failed input for each distinct detail. */
function errorLines({ errors, failures }: Report, colour: Colour): readonly string[] {
  if (errors === 0) return [];
  const said = Map.groupBy(failures, ({ reason, detail }) => `${reason} ${detail}`);
  const shown = [...said.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
  return [
    'Without a prediction:',
    ...shown
      .slice(0, SHOWN_FAILURES)
      .map(({ reason, detail, ...place }) => visible(`  ${reason}  ${shownPlace(place)}: ${detail}`)),
    ...(Math.min(shown.length, SHOWN_FAILURES) < errors ? [colour.dim('  errors.csv has each of them')] : []),
  ];
}

/** Lines on why a run failed. Problems are more specific than the error that carried them; the first input's failure is shown above. */
function failureLines({ failure, problems }: Report, colour: Colour): readonly string[] {
  if (!failure) return [];
  const cause = problems.length > 0 ? [] : [colour.red(visible(failureText(failure)))];
  return [...cause, failure.nextStep];
}
