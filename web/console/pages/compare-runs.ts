import type { CompareData, ComparedPair, ComparedRun } from '../../../src/api/console/comparison.ts';
import {
  dollars,
  duration,
  grouped,
  percent,
  plural,
  pText,
  signedPercent,
} from '../../../src/text/figures.ts';
import { ask, reasonOf } from '../data/ask.ts';
import type { OpenPage } from '../page.ts';
import { fact } from '../parts/fact.ts';
import { flipGallery } from '../parts/flip-gallery.ts';
import { runLink, state, strip } from '../parts/state.ts';
import { stateOf } from '../parts/words.ts';
import { type Child, h, type View } from '../view/view.ts';

/** p values below it are said to be more than chance. */
const SIGNIFICANT = 0.05;

/** Runs next to each other, and what changed from the first to the one that is shown. */
export const openComparedRuns: OpenPage = (runs, frame) => {
  let data: CompareData | undefined;
  let error: string | undefined;
  let shown = 0;
  const gallery = flipGallery(frame);
  const query = runs.map((run) => `run=${encodeURIComponent(run)}`).join('&');
  void ask<CompareData>(`/api/compare?${query}`)
    .then((found) => {
      data = found;
      frame.redraw();
    })
    .catch((thrown: unknown) => {
      error = reasonOf(thrown);
      frame.redraw();
    });
  return {
    title: () => 'Compare',
    view() {
      const head = h('div', { class: 'head' }, h('h1', null, 'Compare'));
      if (error !== undefined) return [head, h('p', { class: 'alarm', role: 'alert' }, error)];
      if (data === undefined)
        return [
          head,
          h('p', { class: 'muted', 'aria-busy': 'true' }, 'Reading what the runs have predicted…'),
        ];
      const pair = data.pairs[shown];
      return [
        head,
        data.pairs.length > 1 && choice(data.pairs, shown, (at) => ((shown = at), frame.redraw())),
        pair !== undefined && headline(pair, data.runs[0], data.runs[shown + 1]),
        table(data),
        pair !== undefined && !('reason' in pair) && gallery.view(pair),
      ];
    },
  };
};

function choice(pairs: CompareData['pairs'], shown: number, choose: (at: number) => void): View {
  return h(
    'div',
    { class: 'toolbar' },
    h(
      'fieldset',
      { class: 'pills' },
      h('legend', null, 'Against the first'),
      pairs.map(({ run }, at) =>
        h(
          'label',
          { key: run },
          h('input', {
            type: 'radio',
            name: 'pair',
            checked: at === shown,
            on: { change: () => choose(at) },
          }),
          run,
        ),
      ),
    ),
  );
}

function headline(
  pair: CompareData['pairs'][number],
  first: ComparedRun | undefined,
  now: ComparedRun | undefined,
): View {
  if ('reason' in pair)
    return h('div', { class: 'alarm' }, h('p', { class: 'what' }, 'Not compared'), h('p', null, pair.reason));
  return h(
    'div',
    { class: 'headline', key: pair.run },
    h('div', null, now?.isJudged === false ? sameAnswers(pair) : change(pair)),
    h(
      'dl',
      { class: 'facts' },
      now?.isJudged !== false && [
        fact('Became wrong', grouped(pair.lost), 'were right before'),
        fact('Became right', grouped(pair.gained), 'were wrong before'),
      ],
      fact(
        'Other answers',
        grouped(pair.answered - pair.sameClass),
        `of ${plural(pair.answered, 'record')} answered in both`,
      ),
    ),
    now !== undefined &&
      now.gate !== '' &&
      h('p', { class: now.verdict === 'failed-gate' ? 'verdict bad' : 'verdict' }, now.gate),
    h(
      'p',
      { class: 'small muted' },
      `${pair.run} against ${first?.run ?? ''}${now?.isJudged === false ? '' : `, by the labels of ${pair.run}`}: ${plural(pair.inputs.paired, 'input')} ` +
        `of the same content${leftOut(pair)}.${relabeled(pair)}`,
    ),
  );
}

/** The answers of runs that nobody judges: they are the same, or not. */
function sameAnswers({ answered, sameClass }: ComparedPair): Child {
  return [
    h('p', { class: 'hero' }, answered === 0 ? '–' : percent(sameClass / answered)),
    h('p', { class: 'note' }, `${grouped(sameClass)} of ${plural(answered, 'answer')} are the same.`),
  ];
}

function change({ accuracy, pValue, exact }: ComparedPair): Child {
  if (accuracy === null)
    return [
      h('p', { class: 'hero word' }, 'No accuracy'),
      h('p', { class: 'note' }, 'No record has a truth and a prediction in both runs.'),
    ];
  const { change: by, before, now, records, interval } = accuracy;
  const test =
    pValue === null
      ? ''
      : `; ${exact ? 'exact McNemar' : 'McNemar'} ${pText(pValue)}: ${pValue < SIGNIFICANT ? 'more than chance' : 'chance can explain it'}`;
  return [
    h('p', { class: 'hero' }, signedPercent(by), h('small', null, 'points')),
    h(
      'p',
      { class: 'note' },
      `from ${percent(before)} to ${percent(now)}, on the ${plural(records, 'labeled record')} of both.`,
      h('br', null),
      `95% interval ${signedPercent(interval.low)} to ${signedPercent(interval.high)}${test}.`,
    ),
  ];
}

function relabeled({ relabeled: records }: ComparedPair): string {
  return records === 0 ? '' : ` The labels of ${plural(records, 'record')} differ between the runs.`;
}

function leftOut({ inputs: { changed, added, missing } }: ComparedPair): string {
  const parts = [
    ...(changed > 0 ? [`${grouped(changed)} with other content`] : []),
    ...(added > 0 ? [`${grouped(added)} only in the later run`] : []),
    ...(missing !== null && missing > 0 ? [`${grouped(missing)} only in the first`] : []),
  ];
  return parts.length === 0 ? '' : `. Left out: ${parts.join(', ')}`;
}

function table({ runs, pairs }: CompareData): View {
  const lowest = Math.min(...runs.map(({ interval, accuracy }) => interval?.low ?? accuracy ?? 1));
  const from = Math.max(0, Math.floor((lowest - 0.02) * 20) / 20);
  const head = (title: string, isText = false): View =>
    h('th', { scope: 'col', class: isText ? 'text' : '' }, title);
  const isJudged = runs.some((run) => run.isJudged);
  const best = Math.max(...runs.map(({ accuracy }) => accuracy ?? -1));
  return h(
    'section',
    { 'aria-labelledby': 'beside' },
    h('h2', { id: 'beside' }, 'Side by side'),
    h(
      'div',
      { class: 'scroll edge', tabindex: '0', role: 'region', 'aria-label': 'Runs side by side' },
      h(
        'table',
        { class: 'list beside' },
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            head('Run', true),
            isJudged && [head('Accuracy'), head(`95% interval, ${percent(from, 0)} to 100%`)],
            isJudged && pairs.length > 1 && [head('Change'), head('p (Holm)')],
            head('Gate', true),
            head('Errors'),
            head('Cost'),
            head('Took'),
            head('Model', true),
          ),
        ),
        h(
          'tbody',
          null,
          runs.map((row, at) => {
            const { run, accuracy, interval, verdict, errors, costUsd, seconds, model } = row;
            const pair = pairs[at - 1];
            const figures = pair === undefined || 'reason' in pair ? undefined : pair;
            return h(
              'tr',
              { key: run },
              h('td', { class: 'text' }, runLink(row)),
              isJudged && [
                h(
                  'td',
                  null,
                  accuracy === null ? '–' : h(accuracy === best ? 'b' : 'span', null, percent(accuracy)),
                ),
                h(
                  'td',
                  null,
                  accuracy !== null &&
                    interval !== null &&
                    strip(accuracy, interval, from, verdict === 'failed-gate'),
                ),
              ],
              isJudged &&
                pairs.length > 1 && [
                  h('td', null, figures?.accuracy ? signedPercent(figures.accuracy.change) : '–'),
                  h(
                    'td',
                    null,
                    figures === undefined || figures.pValue === null
                      ? '–'
                      : pText(figures.pValue).replace('p = ', ''),
                  ),
                ],
              h('td', { class: 'text' }, state(...stateOf(verdict, null))),
              h('td', null, grouped(errors)),
              h('td', null, costUsd === null ? '–' : dollars(costUsd)),
              h('td', null, seconds === null ? '–' : duration(seconds)),
              h('td', { class: 'text key', title: model ?? '' }, model?.slice(0, 12) ?? '–'),
            );
          }),
        ),
      ),
    ),
  );
}
