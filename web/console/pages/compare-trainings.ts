import type { ComparedTraining, TrainingsData } from '../../../src/api/console/comparison.ts';
import { dollars, duration, grouped, percent, plural } from '../../../src/text/figures.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { toFigure } from '../parts/curve-scale.ts';
import { type DataColumn, dataTable, orDash } from '../parts/data-table.ts';
import { addressOfRun, state, strip } from '../parts/state.ts';
import { curvesSection } from '../parts/training-curves.ts';
import { stateOf } from '../parts/words.ts';
import { type Child, h, type View } from '../view/view.ts';

/** Trainings next to each other: their curves overlaid, and hyperparameters × metrics. */
export const openComparedTrainings: OpenPage = (runs, frame) => {
  let data: TrainingsData | undefined;
  const query = runs.map((run) => `run=${encodeURIComponent(run)}`).join('&');
  const close = watch<TrainingsData>(`/live/trainings?${query}`, frame, { seen: (value) => (data = value) });
  return {
    title: () => 'Compare trainings',
    close,
    view: () => [
      h('div.head', h('h1', 'Compare trainings')),
      data !== undefined && [
        curvesSection(
          'What the scripts have logged, by step, of the first host of each. A line stops where its training stands or ended.',
          data.trainings.map(({ run, curves }) => [shortName(run), curves] as const),
        ),
        table(data.trainings),
      ],
    ],
  };
};

/** The name of a training below its pipeline. */
function shortName(run: string): string {
  return run.split('/').slice(2).join('/');
}

function table(trainings: readonly ComparedTraining[]): View {
  const names = [...new Set(trainings.flatMap((one) => Object.keys(one.hyperparameters)))];
  const metrics = [...new Set(trainings.flatMap((one) => Object.keys(one.last)))];
  const areJudged = trainings.some((one) => one.judged !== null);
  // What differs between the trainings is bold, the rest is muted.
  const setting = (
    title: string,
    text: (training: ComparedTraining) => string,
  ): DataColumn<ComparedTraining> => {
    const isDifferent = new Set(trainings.map(text)).size > 1;
    return [title, (training) => h(isDifferent ? 'b' : 'span.muted', text(training))];
  };
  return h(
    'section',
    { 'aria-labelledby': 'beside' },
    h('h2#beside', 'Side by side'),
    h(
      'p.lead',
      `What differs is bold.${areJudged ? ' “Judged” is the accuracy on files that are kept for it.' : ''}`,
    ),
    dataTable('Trainings side by side', trainings, ({ run }) => run, [
      ['Training', ({ run }) => h('a.go', { href: addressOfRun(run), title: run }, shortName(run)), 'text'],
      ...names.map((name) =>
        setting(name, ({ hyperparameters }) => hyperparameters[name]?.replace(/^"(.*)"$/, '$1') ?? '–'),
      ),
      setting('files', ({ files }) => orDash(files, grouped)),
      ...metrics.map((name): DataColumn<ComparedTraining> => [
        name,
        ({ last }) => (name in last ? toFigure(last[name] ?? null) : '–'),
      ]),
      ...(areJudged ? judgedColumns(trainings) : []),
      ['Promotion', promotion, 'text'],
      ['Cost', ({ costUsd }) => orDash(costUsd, dollars)],
      ['Took', ({ seconds }) => orDash(seconds, duration)],
    ]),
    trainings.map(remark),
  );
}

function judgedColumns(trainings: readonly ComparedTraining[]): readonly DataColumn<ComparedTraining>[] {
  const best = Math.max(
    ...trainings.map(({ judged }) =>
      judged === null || judged.trainedOn > 0 ? -1 : (judged.accuracy ?? -1),
    ),
  );
  return [
    [
      'Judged',
      ({ judged }) =>
        judged?.accuracy === best && judged.trainedOn === 0
          ? h('b', percent(best))
          : orDash(judged?.accuracy ?? null, percent),
    ],
    [
      '0% to 100%',
      ({ judged, verdict }) =>
        judged !== null &&
        judged.accuracy !== null &&
        judged.interval !== null &&
        strip(judged.accuracy, judged.interval, 0, verdict === 'failed-gate'),
    ],
    [
      'Of these trained on',
      ({ judged }) =>
        judged === null || judged.accuracy === null
          ? h('span.muted', '–')
          : judged.trainedOn === 0
            ? h('span.muted', 'none')
            : h('b.bad', grouped(judged.trainedOn)),
    ],
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
        'p.small.muted',
        h('b.bad', name),
        ` was judged on ${plural(found.trainedOn, 'input')} that it was trained on: its ` +
          `${found.accuracy === null ? 'figure' : percent(found.accuracy)} is not comparable.`,
      ),
    like > 0 &&
      h(
        'p.small.muted',
        h('b', name),
        ` was judged on ${plural(like, 'image')} that look like one it was trained on.`,
      ),
    decided !== null && decided.word === 'refused' && h('p.small.muted', `${name}: ${decided.reason}`),
  ];
}
