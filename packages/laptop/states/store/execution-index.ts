import { join } from 'node:path';
import * as z from 'zod';
import { type Journal, openJournal } from '../../storage/journal.ts';
import type { ExecutionStatus } from '../engine/execution.ts';

/** The part of an execution that stays in memory, whether it runs or not. */
export interface ExecutionSummary {
  readonly arn: string;
  readonly name: string;
  readonly machineArn: string;
  readonly startMs: number;
  readonly status: ExecutionStatus;
  readonly stopMs: number | undefined;
}

const Line = z.union([
  z.object({ arn: z.string(), name: z.string(), machineArn: z.string(), startMs: z.number() }),
  z.object({
    arn: z.string(),
    status: z.enum(['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']),
    stopMs: z.number(),
  }),
]);

/** All executions ever started here, oldest first; names stay taken. */
export class ExecutionIndex {
  private readonly summaries = new Map<string, ExecutionSummary>();
  private readonly journal: Journal;

  constructor(dir: string) {
    this.journal = openJournal(join(dir, 'executions.jsonl'), (raw) => {
      const line = Line.parse(raw);
      if ('startMs' in line) this.summaries.set(line.arn, { ...line, status: 'RUNNING', stopMs: undefined });
      else this.close(line.arn, line.status, line.stopMs);
    });
  }

  get(arn: string): ExecutionSummary | undefined {
    return this.summaries.get(arn);
  }

  all(): IterableIterator<ExecutionSummary> {
    return this.summaries.values();
  }

  started(summary: Omit<ExecutionSummary, 'status' | 'stopMs'>): void {
    this.summaries.set(summary.arn, { ...summary, status: 'RUNNING', stopMs: undefined });
    this.journal.append(summary);
  }

  /** Frees the name of an execution if its input never reached the disk. Only in memory: each start of the stack forgets its line again. */
  forget(arn: string): void {
    this.summaries.delete(arn);
  }

  /** On disk; until then it counts as running. */
  ended(arn: string, status: Exclude<ExecutionStatus, 'RUNNING'>, stopMs: number): void {
    this.close(arn, status, stopMs);
    this.journal.append({ arn, status, stopMs });
  }

  written(): Promise<void> {
    return this.journal.written();
  }

  closeFile(): void {
    this.journal.close();
  }

  /** In memory. */
  close(arn: string, status: ExecutionStatus, stopMs: number): void {
    const summary = this.summaries.get(arn);
    if (summary) this.summaries.set(arn, { ...summary, status, stopMs });
  }
}
