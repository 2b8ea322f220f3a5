import { setTimeout as sleep } from 'node:timers/promises';
import {
  shownLabel,
  stateLabel,
  type StateNews,
  stateNews,
  type TrainingProgress,
} from '../../app/progress/state-news.ts';
import type { ExecutionDescription, ExecutionEvent, Executions } from '../../aws/states/executions.ts';
import { isAlive } from '../../run/execution-status.ts';
import { grouped } from '../../text/figures.ts';
import type { Progress } from '../../transform/progress.ts';
import { progressBar } from './progress-bar.ts';
import { type Terminal, visible } from './terminal.ts';
import { trainingLine, trainingNews } from './training-progress.ts';

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Events of a request after the first: few are new by then, and each has its whole input or output. */
const LATER_PAGE = 20;

interface Following {
  /** Interval between polls of the execution. */
  readonly intervalMs: number;
  /** How long to wait for an execution to appear. */
  readonly appearWithinMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Shows an execution's progress through its states until it has ended.
 *
 * @throws {Error} `RunNotStarted` if no execution appears in time
 */
export async function followRun(
  executions: Executions,
  arn: string,
  terminal: Terminal,
  { intervalMs, appearWithinMs, signal }: Following,
): Promise<ExecutionDescription> {
  const giveUpAt = performance.now() + appearWithinMs;
  const view = runView(terminal);
  let seen = 0;
  for (;;) {
    const description = await executions.describe(arn);
    if (description === undefined) {
      if (performance.now() > giveUpAt) throw notStarted(arn);
      view.waiting('waiting for the upload events');
    } else {
      const events = await eventsSince(executions, arn, seen);
      for (const event of events) view.show(event);
      seen = events.at(-1)?.id ?? seen;
      if (!isAlive(description)) return description;
      view.tick();
    }
    await sleep(intervalMs, undefined, signal === undefined ? {} : { signal });
  }
}

async function eventsSince(
  executions: Executions,
  arn: string,
  seen: number,
): Promise<readonly ExecutionEvent[]> {
  const events: ExecutionEvent[] = [];
  const options = { newestFirst: true, ...(seen > 0 && { pageSize: LATER_PAGE }) };
  for await (const event of executions.history(arn, options)) {
    if (event.id <= seen) break;
    events.push(event);
  }
  return events.reverse();
}

function runView(terminal: Terminal) {
  const { color } = terminal;
  let state = 'SettleDrop';
  let progress: Progress | undefined;
  let training: TrainingProgress | undefined;
  let frame = 0;
  let printed = -1;
  /** Time of the next look at the drop, on this process's clock. */
  let looksAt: number | undefined;
  /** Error of the newest event; and the state that it ended with its error. */
  let error: string | undefined;
  let failed: { readonly label: string; readonly error: string } | undefined;
  const mark = (isFailure = false): string => (isFailure ? color.red('✗') : color.green('✓'));

  /** A line of its own in a pipe is no spinner. */
  const spinner = (): string => {
    frame += 1;
    return terminal.interactive ? `${color.cyan(SPINNER[frame % SPINNER.length] ?? '')} ` : '';
  };
  const tick = (): void => {
    const label = stateLabel(state).padEnd(10);
    terminal.status(
      '  ' +
        `${spinner()}${label}${training === undefined ? toBar(progress) : trainingLine(training)}${state === 'WaitForQuiet' ? toCountdown(looksAt) : ''}`,
    );
  };
  const tell = (news: StateNews, label: string): void => {
    switch (news.kind) {
      case 'settling':
        if (looksAt === undefined && !terminal.interactive)
          terminal.note(`  · ${label.padEnd(10)}${SETTLING}`);
        looksAt = performance.now() + news.waitSeconds * 1000;
        break;
      case 'transform':
        progress = news.progress;
        if (!terminal.interactive) printed = tellProgress(terminal, progress, printed);
        break;
      case 'training':
        for (const line of trainingNews(training, news.progress))
          terminal.note(`  · ${label.padEnd(10)}${line}`);
        training = news.progress;
        break;
      case 'line':
        terminal.note(`  ${mark(news.isFailure)} ${label.padEnd(10)}${visible(news.text)}`);
        for (const detail of news.details ?? []) terminal.note(`    ${visible(detail)}`);
    }
  };
  return {
    tick,
    waiting: (text: string): void => terminal.status(`  ${spinner()}${text}`),
    show(event: ExecutionEvent): void {
      const errorBefore = error;
      error = /(?:Failed|TimedOut)$/.test(event.type) ? (event.error ?? 'failed') : undefined;
      if (event.state === undefined) return;
      if (event.type.endsWith('StateEntered')) {
        if (shownLabel(event.state) !== undefined) {
          // Where no step follows an error, such as one for a name that exists, nothing has failed.
          if (failed !== undefined)
            terminal.note(`  ${mark(true)} ${failed.label.padEnd(10)}${visible(failed.error)}`);
          failed = undefined;
          // A choice takes no time, and has no label.
          state = event.state;
        }
        if (stateLabel(state) !== 'transform') progress = undefined;
        if (stateLabel(state) !== 'train') training = undefined;
        tick();
        return;
      }
      if (errorBefore !== undefined) {
        failed = { label: stateLabel(event.state), error: errorBefore };
        return;
      }
      const output: unknown = event.output === undefined ? undefined : JSON.parse(event.output);
      const news = stateNews(event.state, output);
      if (news !== undefined) tell(news, stateLabel(event.state));
    },
  };
}

const SETTLING = 'waiting for further files (until drop.quietSeconds pass without one, or _READY comes)';

function toCountdown(looksAt: number | undefined): string {
  const seconds = Math.max(0, Math.ceil(((looksAt ?? 0) - performance.now()) / 1000));
  return `${SETTLING}; next look in ${seconds} s`;
}

/** Shows progress; in a pipe the bar is one line for each further tenth. */
function tellProgress(terminal: Terminal, progress: Progress | undefined, printed: number): number {
  if (!progress || progress.total === 0) return printed;
  const tenth = Math.floor((progress.done / progress.total) * 10);
  if (tenth <= printed) return printed;
  terminal.note(`  · transform ${toCounts(progress)}`);
  return tenth;
}

function toBar(progress: Progress | undefined): string {
  if (!progress || progress.total === 0) return '';
  return `${progressBar(progress.done / progress.total, 24)} ${toCounts(progress)}`;
}

function toCounts({ done, total, approximate }: Progress): string {
  return `${approximate ? '≈' : ''}${grouped(done)} of ${grouped(total)}`;
}

function notStarted(arn: string): Error {
  const error = new Error(
    `nothing has started as ${arn.split(':').at(-1)}: inferdrop dead-letters shows what could not be delivered (docs/operate.md)`,
  );
  error.name = 'RunNotStarted';
  return error;
}
