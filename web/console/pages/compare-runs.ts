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
import { type DataColumn, dataTable, orDash } from '../parts/data-table.ts';
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
      const head = h('div.head', h('h1', 'Compare'));
      if (error !== undefined) return [head, h('p.alarm', { role: 'alert' }, error)];
      if (data === undefined)
        return [head, h('p.muted', { 'aria-busy': 'true' }, 'Reading what the runs have predicted…')];
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
    'div.toolbar',
    h(
      'fieldset.pills',
      h('legend', 'Against the first'),
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
  if ('reason' in pair) return h('div.alarm', h('p.what', 'Not compared'), h('p', pair.reason));
  return h(
    'div.headline',
    { key: pair.run },
    h('div', now?.isJudged === false ? sameAnswers(pair) : change(pair)),
    h(
      'dl.facts',
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
      'p.small.muted',
      `${pair.run} against ${first?.run ?? ''}${now?.isJudged === false ? '' : `, by the labels of ${pair.run}`}: ` +
        `${plural(pair.inputs.paired, 'input')} of the same content${leftOut(pair)}.${relabeled(pair)}`,
    ),
  );
}

/** The answers of runs that nobody judges: they are the same, or not. */
function sameAnswers({ answered, sameClass }: ComparedPair): Child {
  return [
    h('p.hero', answered === 0 ? '–' : percent(sameClass / answered)),
    h('p.note', `${grouped(sameClass)} of ${plural(answered, 'answer')} are the same.`),
  ];
}

function change({ accuracy, pValue, exact }: ComparedPair): Child {
  if (accuracy === null)
    return [
      h('p.hero.word', 'No accuracy'),
      h('p.note', 'No record has a truth and a prediction in both runs.'),
    ];
  const { change: by, before, now, records, interval } = accuracy;
  const test =
    pValue === null
      ? ''
      : `; ${exact ? 'exact McNemar' : 'McNemar'} ${pText(pValue)}: ${pValue < SIGNIFICANT ? 'more than chance' : 'chance can explain it'}`;
  return [
    h('p.hero', signedPercent(by), h('small', 'points')),
    h(
      'p.note',
      `from ${percent(before)} to ${percent(now)}, on the ${plural(records, 'labeled record')} of both.`,
      h('br'),
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
  const best = Math.max(...runs.map(({ accuracy }) => accuracy ?? -1));
  const rows = runs.map((run, at) => {
    const pair = pairs[at - 1];
    return { ...run, pair: pair === undefined || 'reason' in pair ? undefined : pair };
  });
  type Row = (typeof rows)[number];
  const accuracies: DataColumn<Row>[] = [
    ['Accuracy', ({ accuracy }) => (accuracy === best ? h('b', percent(best)) : orDash(accuracy, percent))],
    [
      `95% interval, ${percent(from, 0)} to 100%`,
      ({ accuracy, interval, verdict }) =>
        accuracy !== null && interval !== null && strip(accuracy, interval, from, verdict === 'failed-gate'),
    ],
  ];
  const changes: DataColumn<Row>[] = [
    ['Change', ({ pair }) => orDash(pair?.accuracy ?? null, (accuracy) => signedPercent(accuracy.change))],
    ['p (Holm)', ({ pair }) => orDash(pair?.pValue ?? null, (p) => pText(p).replace('p = ', ''))],
  ];
  const isJudged = runs.some((run) => run.isJudged);
  return h(
    'section',
    { 'aria-labelledby': 'beside' },
    h('h2#beside', 'Side by side'),
    dataTable('Runs side by side', rows, ({ run }) => run, [
      ['Run', (row) => runLink(row), 'text'],
      ...(isJudged ? accuracies : []),
      ...(isJudged && pairs.length > 1 ? changes : []),
      ['Gate', ({ verdict }) => state(...stateOf(verdict, null)), 'text'],
      ['Errors', ({ errors }) => grouped(errors)],
      ['Cost', ({ costUsd }) => orDash(costUsd, dollars)],
      ['Took', ({ seconds }) => orDash(seconds, duration)],
      ['Model', ({ model }) => h('span', { title: model ?? '' }, model?.slice(0, 12) ?? '–'), 'text key'],
    ]),
  );
}
