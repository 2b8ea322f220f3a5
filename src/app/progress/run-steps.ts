import type { Step, Stretch } from '../../api/console/run-data.ts';
import type { ExecutionEvent } from '../../aws/states/executions.ts';
import { causeText } from '../../problem/cause-text.ts';
import type { RunKind } from '../../run/run-kind.ts';
import { parsedJson } from '../../text/parse-json.ts';
import type { Progress } from '../../transform/progress.ts';
import { isWait, shownLabel, stateNews, type TrainingProgress } from './state-news.ts';

/** Names of steps for people, by the labels of their states. */
const NAMES: Readonly<Record<string, string>> = {
  settle: 'Wait for files',
  queue: 'Plan',
  plan: 'Plan',
  index: 'Open tars',
  model: 'Model',
  bundle: 'Bundle',
  transform: 'Predict',
  reconcile: 'Check outputs',
  fold: 'Count',
  round: 'Decide',
  source: 'Source',
  train: 'Train',
  evaluate: 'Judge',
  promote: 'Promote',
  report: 'Report',
  notify: 'Message',
  deploy: 'Deploy',
};

/** Steps of a run that takes no shorter way, in order. Deploy is only known to come when it has begun. */
const COURSE = {
  inference: ['Wait for files', 'Plan', 'Model', 'Predict', 'Check outputs', 'Count', 'Report', 'Message'],
  training: ['Wait for files', 'Plan', 'Source', 'Train', 'Model', 'Judge', 'Promote', 'Report', 'Message'],
} as const satisfies Readonly<Record<RunKind, readonly string[]>>;

/** Characters of an input or output that are shown. */
const MAX_SHOWN = 4_000;

/** Steps of a run, and its progress as its last states have reported it. */
export interface RunSteps {
  readonly steps: readonly Step[];
  /** Names of the steps that are still to come; empty once the execution has ended. */
  readonly next: readonly string[];
  readonly progress: Progress | null;
  readonly training: TrainingProgress | null;
  /** Seconds after which the drop is looked at again, counted from `at`; null unless it still waits for files. */
  readonly settling: { readonly waitSeconds: number; readonly at: string } | null;
}

interface Growing {
  name: string;
  states: string[];
  stretches: { from: string; to: string | null; kind: Stretch['kind'] }[];
  said: string;
  input: string | null;
  output: string | null;
  error: string | null;
}

/** Name of the step that a state belongs to; undefined for a choice or an end. */
export function stepName(state: string): string | undefined {
  const label = shownLabel(state);
  return label === undefined ? undefined : (NAMES[label] ?? label);
}

/** Folds an execution's history, oldest event first, into the lines of a run's page: a step that is repeated stays one line. */
export function runSteps(kind: RunKind, events: Iterable<ExecutionEvent>): RunSteps {
  const steps = new Map<string, Growing>();
  let progress: Progress | null = null;
  let training: TrainingProgress | null = null;
  let settling: RunSteps['settling'] = null;
  let current: Growing | undefined;
  let isOver = false;
  /** Whether the newest event is the error of a state; an error that is not tried again leads to the report. */
  let isError = false;
  let errorOf: Growing | undefined;
  for (const { type, at, state, input, output, error, cause } of events) {
    const time = at.toISOString();
    const name = state === undefined ? undefined : stepName(state);
    if (state !== undefined && name !== undefined && type.endsWith('StateEntered')) {
      if (name === 'Report' && errorOf !== undefined) fail(errorOf);
      errorOf = undefined;
      current = steps.get(name) ?? grow(name, input);
      steps.set(name, current);
      if (!current.states.includes(state)) current.states.push(state);
      begin(current, time, isWait(state) ? 'wait' : 'work');
      if (name !== 'Predict' && name !== 'Check outputs') progress = null;
    } else if (state !== undefined && name !== undefined && type.endsWith('StateExited')) {
      const step = steps.get(name);
      if (step === undefined) continue;
      end(step, time);
      if (isError) errorOf = step;
      if (output !== undefined) step.output = shown(output);
      const news = stateNews(state, parsedJson(output ?? ''));
      if (news?.kind === 'line') {
        step.said = [news.text, ...(news.details ?? [])].join('\n');
        // The stretch of the whole job, which began when it was started, is the one that failed.
        if (news.isFailure === true) fail(step);
      } else if (news?.kind === 'transform') progress = news.progress;
      else if (news?.kind === 'training') training = news.progress;
      else if (news?.kind === 'settling') settling = { waitSeconds: news.waitSeconds, at: time };
      if (news?.kind === 'line') settling = null;
    } else if (
      // If all states of a step have been left, it isn't what stopped the run.
      current?.stretches.at(-1)?.to === null &&
      /^(Execution|Task|LambdaFunction)(Failed|TimedOut|Aborted)$/.test(type)
    ) {
      const step = current.states.at(-1);
      const why = causeText({ error: error ?? '', cause: cause ?? '', step });
      current.error = [error, why].filter(Boolean).join(': ');
      if (type.startsWith('Execution')) {
        end(current, time);
        fail(current);
      }
    }
    isError = /(Failed|TimedOut)$/.test(type);
    if (/^Execution(Succeeded|Failed|TimedOut|Aborted)$/.test(type)) isOver = true;
  }
  const names = [...steps.keys()];
  const last = names.reduce((most, name) => Math.max(most, placeOf(kind, name)), -1);
  const next = isOver ? [] : COURSE[kind].slice(last + 1);
  return { steps: [...steps.values()], next, progress, training, settling };
}

function placeOf(kind: RunKind, name: string): number {
  return COURSE[kind].findIndex((one) => one === name);
}

function grow(name: string, input: string | undefined): Growing {
  const shownInput = input === undefined ? null : shown(input);
  return { name, states: [], stretches: [], said: '', input: shownInput, output: null, error: null };
}

/** Begins a stretch, or goes on with one of the same kind that has ended at this moment or shortly before. */
function begin({ stretches }: Growing, time: string, kind: 'work' | 'wait'): void {
  const last = stretches.at(-1);
  if (last?.kind === kind && last.to !== null && Date.parse(time) - Date.parse(last.to) < CLOSE_MS)
    last.to = null;
  else stretches.push({ from: time, to: null, kind });
}

/** States follow each other within milliseconds; what lies further apart has another step between. */
const CLOSE_MS = 250;

function end({ stretches }: Growing, time: string): void {
  const last = stretches.at(-1);
  if (last !== undefined) last.to ??= time;
}

function fail({ stretches }: Growing): void {
  const last = stretches.at(-1);
  if (last !== undefined) last.kind = 'failed';
}

/** JSON over several lines, cut. */
function shown(json: string): string {
  const text = JSON.stringify(parsedJson(json), null, 2);
  return text.length > MAX_SHOWN
    ? `${text.slice(0, MAX_SHOWN)}\n… cut, ${text.length} characters in all`
    : text;
}
