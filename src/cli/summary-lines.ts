import { problemLine } from '../problem/problem.ts';
import { comparisonText } from '../report/comparison-text.ts';
import { grouped, percent } from '../report/figures.ts';
import { gateText } from '../report/gate-text.ts';
import { inputsText } from '../report/inputs-text.ts';
import { reasonsText } from '../report/reasons-text.ts';
import type { Report } from '../report/report.ts';
import { suspectsText } from '../report/suspects-text.ts';
import { terminalMatrix } from '../report/terminal-matrix.ts';
import { terminalMix } from '../report/terminal-mix.ts';
import { type Terminal, visible } from './terminal.ts';

/** Cap on the failures that a terminal shows, one for each distinct detail. */
const SHOWN_FAILURES = 5;

/** The result of a run in a few lines for a terminal. */
export function summaryLines(report: Report, terminal: Terminal): readonly string[] {
  const { colour } = terminal;
  return [
    '',
    ...accuracyLine(report, colour),
    `${inputsText(report)}; ${report.status}`,
    ...comparisonLines(report),
    ...suspectLines(report),
    ...(gateText(report.gate) === undefined ? [] : [visible(report.gate.explanation)]),
    ...pictureLines(report, terminal),
    ...errorLines(report, colour),
    ...report.notes.map((note) => colour.dim(`note: ${visible(note)}`)),
    ...report.problems.map((problem) => colour.red(`  ${visible(problemLine(problem))}`)),
    ...failureLines(report, colour),
  ];
}

type Colour = Terminal['colour'];

function accuracyLine({ quality }: Report, colour: Colour): readonly string[] {
  if (quality === null) return [];
  const { accuracy, accuracyInterval: interval, correct, labelled } = quality;
  const range = ` (95% interval ${percent(interval.low)} to ${percent(interval.high)})`;
  return [
    `${colour.bold(`Accuracy ${percent(accuracy)}`)}${range}: ${grouped(correct)} of ${grouped(labelled)} right`,
  ];
}

function comparisonLines({ comparison }: Report): readonly string[] {
  return comparison === null ? [] : [`Change ${visible(comparisonText(comparison))}`];
}

function suspectLines({ suspectLabels: found }: Report): readonly string[] {
  return found === null || found.suspects === 0 ? [] : [`Labels ${suspectsText(found)}`];
}

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

/** Counts of failed inputs by reason, and the first input for each distinct detail. */
function errorLines({ errors, errorsByReason, failures }: Report, colour: Colour): readonly string[] {
  if (errors === 0) return [];
  const said = Map.groupBy(failures, ({ reason, detail }) => `${reason} ${detail}`);
  const shown = [...said.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
  return [
    `Without a prediction: ${reasonsText(errorsByReason)}`,
    ...shown
      .slice(0, SHOWN_FAILURES)
      .map(({ key, recordIndex, reason, detail }) =>
        visible(`  ${reason}  ${key}${recordIndex === null ? '' : `, record ${recordIndex}`}: ${detail}`),
      ),
    ...(Math.min(shown.length, SHOWN_FAILURES) < errors ? [colour.dim('  errors.csv has each of them')] : []),
  ];
}

/** Problems are more specific than the error that carried them; what is said of the first input stands above. */
function failureLines({ failure, failures, problems }: Report, colour: Colour): readonly string[] {
  if (!failure) return [];
  const said = failures
    .map(({ key, detail }) => `. Of ${key}: ${detail}`)
    .find((one) => failure.cause.endsWith(one));
  const why = said === undefined ? failure.cause : failure.cause.slice(0, -said.length);
  const cause = problems.length > 0 ? [] : [colour.red(`${visible(failure.error)}: ${visible(why)}`)];
  return [...cause, failure.nextStep];
}
