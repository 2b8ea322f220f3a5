import type { LogData, RunData } from '../../../src/api/console/run-data.ts';
import { type Child, h } from '../view/view.ts';
import { type Telling, tellingLines } from './telling-lines.ts';

/** Longest cause of a failure that stands under the headline. */
const MAX_NOTE = 240;

/** Whether the run has ended before its predictions were counted. */
export function hasNoFigures({ verdict }: Pick<RunData, 'verdict'>): boolean {
  return verdict === 'failed' || verdict === 'canceled' || verdict === 'refused';
}

/** Problems of the configuration, which a person has to correct. */
export function problems({ problems: list }: RunData): Child {
  return (
    list.length > 0 &&
    h(
      'section',
      { key: 'problems', 'aria-labelledby': 'correct' },
      h('h2#correct', 'What to correct'),
      h(
        'ol.problems',
        list.map(({ file, field, value, message }) =>
          h(
            'li',
            h(
              'span',
              h('span.key', field === '' ? file : `${file}: ${field}`),
              value === '' ? '' : ` is ${value}`,
              h('br'),
              h('span.muted', message),
            ),
          ),
        ),
      ),
    )
  );
}

/** Whether jobs have run and no input has a prediction: its cause repeats the reason of each job. */
export function isUnpredicted({ jobs, errors, inputs }: RunData): boolean {
  return jobs.length > 0 && errors !== null && errors === inputs;
}

/**
 * Whether a cause would be a wall of text under the headline, such as one that quotes a script, or would repeat what the
 * log's lines say.
 */
export function isToldBelow(failure: RunData['failure'], { lines, place }: Telling): boolean {
  if (failure === null) return false;
  const { cause } = failure;
  const isRepeated =
    // eslint-disable-next-line messages/no-logic -- Decides where a sentence is shown, and nothing else.
    (place !== undefined && cause.includes(place.error)) ||
    (cause !== '' && lines.some(({ text }) => text.includes(cause)));
  return cause.length > MAX_NOTE || isRepeated;
}

/** The place in the person's own script, or the error's name, with the lines of the log that explain it. */
export function whyFailed(data: RunData, log: LogData | undefined): Child {
  const { failure } = data;
  const telling = tellingLines(log?.lines ?? []);
  const { lines, place } = telling;
  if (failure === null && lines.length === 0) return null;
  return h(
    'div.alarm',
    { key: 'alarm' },
    h(
      'p.what',
      place === undefined ? (failure?.error ?? 'The last lines') : `${place.where}: ${place.error}`,
    ),
    lines.length > 0 &&
      h(
        'pre',
        { tabindex: '0', role: 'region', 'aria-label': 'Lines of the log that explain it' },
        lines.map(({ text }) => `${text}\n`).join(''),
      ),
    failure !== null && failure.nextStep !== '' && h('p.muted', failure.nextStep),
    failure !== null &&
      (isUnpredicted(data) || isToldBelow(failure, telling)) &&
      h(
        'details.small',
        { key: 'cause', open: log !== undefined && lines.length === 0 },
        h('summary', 'The whole reason'),
        h('p.muted', failure.cause),
      ),
  );
}
