import type { ComparedTraining, TrainingsData } from '../../../src/api/console/comparison.ts';
import { dollars, duration, grouped, percent, plural } from '../../../src/text/figures.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { curveChart, lookOf } from '../parts/curve-chart.ts';
import { toFigure } from '../parts/curve-scale.ts';
import { addressOfRun, state, strip } from '../parts/state.ts';
import { stateOf } from '../parts/words.ts';
import { type Child, h, type View } from '../view/view.ts';

/** Trainings next to each other: their curves overlaid, and hyperparameters × metrics. */
export const openComparedTrainings: OpenPage = (runs, frame) => {
  let data: TrainingsData | undefined;
  const query = runs.map((run) => `run=${encodeURIComponent(run)}`).join('&');
  const close = watch<TrainingsData>(`/live/trainings?${query}`, frame, {
    seen(value) {
      data = value;
      frame.redraw();
    },
  });
  return {
    title: () => 'Compare trainings',
    close,
    view: () => [
      h('div', { class: 'head' }, h('h1', null, 'Compare trainings')),
      data !== undefined && [curves(data.trainings), table(data.trainings)],
    ],
  };
};

/** The name of a training below its pipeline. */
function shortName(run: string): string {
  return run.split('/').slice(2).join('/');
}

function curves(trainings: readonly ComparedTraining[]): View {
  const metrics = [...new Set(trainings.flatMap((one) => one.curves.map(({ metric }) => metric)))];
  return h(
    'section',
    { 'aria-labelledby': 'curves' },
    h('h2', { id: 'curves' }, 'Curves'),
    metrics.length === 0
      ? h('p', { class: 'muted' }, 'No script has logged a value that training.metrics reads.')
      : [
          h(
            'p',
            { class: 'lead' },
            'What the scripts have logged, by step, of the first host of each. A line stops where its training stands or ended.',
          ),
          h(
            'p',
            { class: 'toolbar small' },
            trainings.map(({ run }, at) =>
              h('span', { key: run }, h('span', { class: `legend-line ${lookOf(at)}` }), shortName(run)),
            ),
          ),
          h(
            'div',
            { class: 'halves' },
            metrics.map((metric) =>
              curveChart(
                metric,
                trainings.map(({ run, curves: own }) => {
                  const curve = own.find((one) => one.metric === metric);
                  return {
                    name: shortName(run),
                    count: curve?.count ?? 0,
                    values: curve?.points.map(({ value }) => value) ?? [],
                  };
                }),
              ),
            ),
          ),
        ],
  );
}

/** A column of the table: what differs between the trainings is bold, hyperparameters that do not are muted. */
interface Column {
  readonly title: string;
  readonly text: (training: ComparedTraining) => string;
}

function table(trainings: readonly ComparedTraining[]): View {
  const names = [...new Set(trainings.flatMap((one) => Object.keys(one.hyperparameters)))];
  const metrics = [...new Set(trainings.flatMap((one) => Object.keys(one.last)))];
  const settings: Column[] = [
    ...names.map((name) => ({
      title: name,
      text: ({ hyperparameters }: ComparedTraining) =>
        hyperparameters[name]?.replace(/^"(.*)"$/, '$1') ?? '–',
    })),
    { title: 'files', text: ({ files }) => (files === null ? '–' : grouped(files)) },
  ];
  const figures: Column[] = metrics.map((name) => ({
    title: name,
    text: ({ last }) => (name in last ? toFigure(last[name] ?? null) : '–'),
  }));
  const bestJudged = Math.max(
    ...trainings.map(({ judged }) =>
      judged === null || judged.trainedOn > 0 ? -1 : (judged.accuracy ?? -1),
    ),
  );
  const areJudged = trainings.some((one) => one.judged !== null);
  const head = (title: string, isText = false): View =>
    h('th', { scope: 'col', class: isText ? 'text' : '' }, title);
  return h(
    'section',
    { 'aria-labelledby': 'beside' },
    h('h2', { id: 'beside' }, 'Side by side'),
    h(
      'p',
      { class: 'lead' },
      `What differs is bold.${areJudged ? ' “Judged” is the accuracy on files that are kept for it.' : ''}`,
    ),
    h(
      'div',
      { class: 'scroll edge', tabindex: '0', role: 'region', 'aria-label': 'Trainings side by side' },
      h(
        'table',
        { class: 'list beside' },
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            head('Training', true),
            [...settings, ...figures].map(({ title }) => head(title)),
            areJudged && ['Judged', '0% to 100%', 'Of these trained on'].map((title) => head(title)),
            head('Promotion', true),
            head('Cost'),
            head('Took'),
          ),
        ),
        h(
          'tbody',
          null,
          trainings.map((training) =>
            h(
              'tr',
              { key: training.run },
              h(
                'td',
                { class: 'text' },
                h(
                  'a',
                  { class: 'go', href: addressOfRun(training.run), title: training.run },
                  shortName(training.run),
                ),
              ),
              settings.map((column) => setting(column, training, trainings)),
              figures.map(({ text }) => h('td', null, text(training))),
              areJudged && judged(training, bestJudged),
              h('td', { class: 'text' }, promotion(training)),
              h('td', null, training.costUsd === null ? '–' : dollars(training.costUsd)),
              h('td', null, training.seconds === null ? '–' : duration(training.seconds)),
            ),
          ),
        ),
      ),
    ),
    trainings.map(remark),
  );
}

function setting({ text }: Column, training: ComparedTraining, all: readonly ComparedTraining[]): View {
  const value = text(training);
  const isDifferent = all.some((other) => text(other) !== value);
  return h('td', { class: isDifferent ? '' : 'muted' }, isDifferent ? h('b', null, value) : value);
}

function judged({ judged: found, verdict }: ComparedTraining, best: number): Child {
  if (found === null || found.accuracy === null)
    return [h('td', null, '–'), h('td', null), h('td', { class: 'muted' }, '–')];
  const { accuracy, interval, trainedOn } = found;
  return [
    h('td', null, h(accuracy === best && trainedOn === 0 ? 'b' : 'span', null, percent(accuracy))),
    h('td', null, interval !== null && strip(accuracy, interval, 0, verdict === 'failed-gate')),
    h(
      'td',
      null,
      trainedOn === 0 ? h('span', { class: 'muted' }, 'none') : h('b', { class: 'bad' }, grouped(trainedOn)),
    ),
  ];
}

const PROMOTIONS: Readonly<Record<string, readonly [shape: string, word: string]>> = {
  promoted: ['passed', 'promoted'],
  refused: ['failed', 'refused'],
  asked: ['waiting', 'a person decides'],
  kept: ['off', 'unchanged'],
  never: ['off', 'never'],
};

function promotion({ promotion: found, verdict }: ComparedTraining): View {
  if (found === null) return state(...stateOf(verdict, null));
  return state(...(PROMOTIONS[found.word] ?? (['off', found.word] as const)));
}

/** Sentences about a training with a figure that must not win as it stands. */
function remark({ run, judged: found, promotion: decided }: ComparedTraining): Child {
  const name = shortName(run);
  const like = found?.nearDuplicates ?? 0;
  return [
    found !== null &&
      found.trainedOn > 0 &&
      h(
        'p',
        { class: 'small muted' },
        h('b', { class: 'bad' }, name),
        ` was judged on ${plural(found.trainedOn, 'input')} that it was trained on: its ` +
          `${found.accuracy === null ? 'figure' : percent(found.accuracy)} is not comparable.`,
      ),
    like > 0 &&
      h(
        'p',
        { class: 'small muted' },
        h('b', null, name),
        ` was judged on ${plural(like, 'image')} that look like one it was trained on.`,
      ),
    decided !== null &&
      decided.word === 'refused' &&
      h('p', { class: 'small muted' }, `${name}: ${decided.reason}`),
  ];
}
