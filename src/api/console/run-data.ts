import type { ProblemRow } from './problem-row.ts';
import type { Progress, Verdict } from './run-row.ts';

/** A stretch of time in a step. */
export interface Stretch {
  readonly from: string;
  /** Null while it goes on. */
  readonly to: string | null;
  readonly kind: 'work' | 'wait' | 'failed';
}

/** A step of a run: one line of its page, however often the state was entered. */
export interface Step {
  /** Name for people, such as `Wait for files`. */
  readonly name: string;
  /** Names of the state machine's states that it stands for, in the order of their first entry. */
  readonly states: readonly string[];
  readonly stretches: readonly Stretch[];
  /** Result so far, in a sentence without its full stop; empty if there is nothing to say. */
  readonly said: string;
  /** JSON of the first input and of the newest output, cut; null if there is none yet. */
  readonly input: string | null;
  readonly output: string | null;
  /** Error that ended or interrupted it; null if none did. */
  readonly error: string | null;
}

/** A job of a run. */
export interface JobRow {
  readonly attempt: number;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly inputs: number;
  readonly seconds: number | null;
  readonly costUsd: number | null;
  readonly hardware: string;
  readonly reason: string | null;
}

/** Values of a metric that a host of a training has logged. */
export interface Curve {
  readonly metric: string;
  readonly host: string;
  /** Number of all values; if they are more than the points, those are spread evenly over them. */
  readonly count: number;
  readonly points: readonly { readonly at: string; readonly value: number | null }[];
}

/** A run or training as its page shows it, live or ended. */
export interface RunData {
  readonly run: string;
  readonly kind: 'inference' | 'training';
  readonly pipeline: string;
  readonly verdict: Verdict;
  /** Name of the step that it is in or ended in. */
  readonly step: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly steps: readonly Step[];
  /** Names of the steps that are still to come. */
  readonly next: readonly string[];
  readonly jobs: readonly JobRow[];
  readonly progress: Progress | null;
  /** Estimate for the rest of the predictions, from the rate of the running job; null if there is none. */
  readonly secondsLeft: number | null;
  readonly inputs: number | null;
  readonly bytes: number | null;
  readonly costUsd: number | null;
  readonly quoteUsd: number | null;
  readonly maxCostUsd: number | null;
  readonly accuracy: number | null;
  readonly seconds: number | null;
  readonly errors: number | null;
  readonly gate: { readonly verdict: 'passed' | 'failed' | 'none'; readonly explanation: string } | null;
  readonly failure: { readonly error: string; readonly cause: string; readonly nextStep: string } | null;
  readonly problems: readonly ProblemRow[];
  /** Whether report.html is there. */
  readonly hasReport: boolean;
  readonly rescoreOf: string | null;
  /** Price an hour and longest life of its endpoint; null if the run cannot be deployed. */
  readonly deployable: { readonly hourlyUsd: number | null; readonly ttlHours: number | null } | null;
  readonly curves: readonly Curve[];
}

/** A line that a job has written. */
export interface LogRow {
  readonly at: string;
  readonly source: string;
  readonly text: string;
}

/** Lines of a run's jobs, the oldest first. */
export interface LogData {
  readonly lines: readonly LogRow[];
  /** Older lines were left out. */
  readonly cut: boolean;
  /** Time before which nothing was read, since reading it would take too long; null: all lines were read. UTC, ISO 8601. */
  readonly since: string | null;
}
