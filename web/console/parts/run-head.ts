import type { RunData } from '../../../src/api/console/run-data.ts';
import { clock, moment } from '../../../src/text/dates.ts';
import { dollars, grouped, NOTHING_BILLED } from '../../../src/text/figures.ts';
import type { Frame } from '../page.ts';
import { type Child, h, type View } from '../view/view.ts';
import { button } from './button.ts';
import { addressOfRun } from './state.ts';
import { stateOf } from './words.ts';

/** Asks the stack for an action of a run, in words for its button. */
export type Act = (name: string, words: string) => Promise<void>;

/** Name, state and actions of a run. */
export function runHead(data: RunData, frame: Frame, doing: string | undefined, act: Act): View {
  const { run, verdict, step, startedAt, endedAt, rescoreOf } = data;
  const word = stateOf(verdict, step)[1];
  const nowMs = Date.now();
  const tone =
    verdict === 'passed' || verdict === 'completed'
      ? 'good'
      : endedAt === null
        ? 'right'
        : verdict === 'empty' || verdict === 'canceled'
          ? ''
          : 'bad';
  return h(
    'div.kicker',
    h('h1', run),
    h('span', { class: `pill ${tone}` }, word),
    endedAt === null
      ? startedAt !== null && h('span', { title: moment(startedAt) }, `since ${clock(startedAt, nowMs)}`)
      : h('time', { datetime: endedAt, title: moment(endedAt) }, clock(endedAt, nowMs)),
    rescoreOf !== null && h('a', { href: addressOfRun(rescoreOf) }, `rescore of ${rescoreOf}`),
    h('div.actions', actions(data, frame, doing, act)),
  );
}

function actions(
  { run, kind, endedAt, step, costUsd, verdict, inputs, errors, jobs, quoteUsd, deployable }: RunData,
  frame: Frame,
  doing: string | undefined,
  act: Act,
): Child {
  const action = (name: string, click: () => void): View =>
    button('button', name, click, doing !== undefined);
  if (endedAt === null)
    return [
      verdict === 'waiting' &&
        step === 'Wait for files' &&
        kind === 'inference' &&
        action('Start now', () => void act('start', 'Starting…')),
      action(doing ?? 'Cancel run', () =>
        frame.confirm({
          title: `Cancel ${run}?`,
          text:
            `The job that runs is stopped; ${frame.place.local ? NOTHING_BILLED : `${dollars(costUsd)} so far is billed`}. ` +
            'What was predicted and the uploaded files are kept: a rerun predicts all of them again.',
          go: 'Cancel run',
          keep: 'Go on',
          isDanger: true,
          act: () => void act('cancel', 'Canceling…'),
        }),
      ),
    ];
  const price =
    deployable === null || deployable.hourlyUsd === null
      ? 'billed by use or at a price not known'
      : `${dollars(deployable.hourlyUsd)} an hour`;
  return [
    deployable !== null &&
      action(doing ?? 'Deploy', () =>
        frame.confirm({
          title: `Deploy ${run}?`,
          text:
            `An endpoint ${price}${deployable.ttlHours === null ? '' : `, at most ${deployable.ttlHours} hours`}. First ` +
            'it is tested with inputs of the run; what serves now answers until then.',
          go: `Deploy, ${price}`,
          act: () => void act('deploy', 'Deploying…'),
        }),
      ),
    kind === 'inference' &&
      verdict !== 'refused' &&
      verdict !== 'empty' &&
      (!(verdict === 'failed' || verdict === 'canceled') || (jobs.length > 0 && errors !== inputs)) &&
      action(doing ?? 'Rescore', () =>
        frame.confirm({
          title: `Rescore ${run}?`,
          text: 'The same predictions are counted again with today’s labels, classes and gate: no job, no cost.',
          go: 'Rescore',
          act: () => void act('rescore', 'Rescoring…'),
        }),
      ),
    verdict !== 'empty' &&
      action(doing ?? 'Rerun', () =>
        frame.confirm({
          title: `Rerun ${run}?`,
          text:
            `The same ${inputs === null ? '' : `${grouped(inputs)} `}files with today’s pipeline.json and ` +
            `model.${quoteUsd === null ? '' : ` The last plan was quoted at ${dollars(quoteUsd)} in the cloud.`}`,
          go: 'Rerun',
          act: () => void act('rerun', 'Starting…'),
        }),
      ),
  ];
}
