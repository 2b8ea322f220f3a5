import type { LogData, RunData } from '../../../src/api/console/run-data.ts';
import { clock } from '../../../src/text/dates.ts';
import { dollars, duration, grouped, NOTHING_BILLED, percent } from '../../../src/text/figures.ts';
import { toSize } from '../../../src/text/size.ts';
import { type Child, h, type View } from '../view/view.ts';
import { fact } from './fact.ts';
import { progressScale } from './progress-scale.ts';
import { hasNoFigures, isToldBelow, isUnpredicted } from './run-failure.ts';
import { tellingLines } from './telling-lines.ts';
import { stateOf } from './words.ts';

/** Figures of a run under way, or of one that ended without a report of its own. */
export function runHeadline(data: RunData, log: LogData | undefined, isBilled: boolean): View {
  const {
    progress,
    inputs,
    bytes,
    costUsd,
    quoteUsd,
    maxCostUsd,
    startedAt,
    endedAt,
    seconds,
    errors,
    kind,
  } = data;
  const nowMs = Date.now();
  const took =
    seconds ??
    (startedAt === null
      ? null
      : ((endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt)) / 1000);
  const limits = [
    ...(quoteUsd === null ? [] : [`quoted ${dollars(quoteUsd)}`]),
    ...(maxCostUsd === null ? [] : [`at most ${dollars(maxCostUsd)}`]),
  ].join(', ');
  return h(
    'div.headline',
    { key: 'headline' },
    h('div', figure(data, log, nowMs)),
    h(
      'dl.facts',
      fact(
        kind === 'training' ? 'Files' : 'Inputs',
        inputs === null ? '–' : grouped(inputs),
        bytes === null ? '' : toSize(bytes),
      ),
      endedAt !== null &&
        errors !== null &&
        (errors > 0 || !hasNoFigures(data)) &&
        fact('Without a prediction', errors === 0 ? 'none' : grouped(errors)),
      isBilled
        ? fact(endedAt === null ? 'Cost so far' : 'Cost', dollars(costUsd), limits)
        : fact('Cost on AWS', dollars(quoteUsd ?? costUsd), NOTHING_BILLED),
      took !== null && fact(endedAt === null ? 'Time so far' : 'Time', duration(took)),
    ),
    endedAt === null &&
      progress !== null &&
      h('p.verdict', 'The gate is judged at the end. Until then there is no accuracy.'),
    data.gate !== null &&
      !hasNoFigures(data) &&
      data.gate.explanation !== '' &&
      h('p.verdict', data.gate.explanation),
  );
}

/** The largest words of the page. */
function figure(data: RunData, log: LogData | undefined, nowMs: number): Child {
  const { progress, secondsLeft, verdict, step, endedAt, failure, problems: wrong, kind, jobs } = data;
  if (endedAt !== null) {
    const at = verdict === 'failed' && step !== null ? ` at ${step}` : '';
    const word = hasNoFigures(data) ? `${capital(verdict)}${at}` : stateOf(verdict, null)[1];
    const count = wrong.length === 1 ? '1 problem' : `${wrong.length} problems`;
    const note =
      verdict === 'refused' && wrong.length > 0
        ? `${count} in ${[...new Set(wrong.map(({ file }) => file))].join(', ')}. No job was started and nothing was ` +
          'billed. The files are kept: correct the problems, then rerun.'
        : isUnpredicted(data)
          ? `${grouped(jobs.length)} ${jobs.length === 1 ? 'job was' : 'jobs were'} tried; no input has a prediction.`
          : isToldBelow(failure, tellingLines(log?.lines ?? []))
            ? ''
            : (failure?.cause ?? '');
    return [h('p.hero.word', word), h('p.note', note)];
  }
  if (progress !== null && progress.total > 0) {
    const share = progress.done / progress.total;
    const rest =
      secondsLeft === null
        ? ''
        : `About ${duration(secondsLeft)} of predicting left; predicted at about ` +
          `${clock(new Date(nowMs + secondsLeft * 1000).toISOString(), nowMs)}.`;
    const [value, unit] = [percent(share).slice(0, -1), '%'];
    return [
      h('p.hero', value, h('small', unit)),
      h(
        'p.note',
        `predicted: ${progress.approximate ? 'about ' : ''}${grouped(progress.done)} of ${grouped(progress.total)} inputs.`,
        rest !== '' && [h('br'), rest],
      ),
      progressScale(share, percent(share)),
    ];
  }
  const [, word] = stateOf(verdict, step);
  const note =
    step === 'Wait for files'
      ? `The ${kind === 'training' ? 'training' : 'run'} starts when no file has arrived for a while (drop.quietSeconds ` +
        'of pipeline.json), or when _READY is there. Nothing has been billed.'
      : '';
  return [h('p.hero.word', capital(word)), h('p.note', note)];
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
