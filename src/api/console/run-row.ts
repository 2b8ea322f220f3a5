/** Bounds of a share, both 0 … 1. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** How a run stands or ended, as its word and shape on the pages say it; `unread` where it has ended and more follows. */
export type Verdict =
  | 'unread'
  | 'waiting'
  | 'running'
  | 'passed'
  | 'failed-gate'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'refused'
  | 'empty';

/** Inputs that have an output. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly approximate: boolean;
}

/** A run or training in one line. */
export interface RunRow {
  readonly run: string;
  readonly pipeline: string;
  readonly verdict: Verdict;
  /** The step of a run that is under way, in words; null for others. */
  readonly step: string | null;
  readonly progress: Progress | null;
  readonly total: number | null;
  readonly accuracy: number | null;
  /** 95% interval of the accuracy; null if the number of judged records is not known. */
  readonly interval: Bounds | null;
  readonly costUsd: number | null;
  readonly seconds: number | null;
  /** Null while it is under way. */
  readonly endedAt: string | null;
  /** Null if only its end is known. */
  readonly startedAt: string | null;
}

/** All runs that the list shows: those under way first, then the newest. */
export interface RunsData {
  readonly runs: readonly RunRow[];
}
