import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { openJournal } from '../../storage/journal.ts';
import type { HistoryEvent } from '../engine/history.ts';

const Begun = z.object({
  input: z.string(),
  definitionId: z.string(),
  roleArn: z.string(),
  revisionId: z.string(),
});
/** Input and definition with which an execution was started. */
export type Begun = z.infer<typeof Begun>;

/** How an execution ended: the last line of its file. */
export const Ended = z.object({
  status: z.enum(['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']),
  stopMs: z.number(),
  output: z.string().optional(),
  error: z.string().optional(),
  cause: z.string().optional(),
});
export type Ended = z.infer<typeof Ended>;

const isEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'id' in value && 'type' in value;
/** Trusted as it is: only this stack writes events. */
export const StoredEvent = z.custom<HistoryEvent>(isEvent);

const Line = z.union([
  z.object({ begun: Begun }),
  z.object({ event: StoredEvent }),
  z.object({ ended: Ended }),
]);

/** The whole of an execution, as its file holds it. */
export interface ExecutionRecord {
  readonly begun: Begun | undefined;
  readonly events: readonly HistoryEvent[];
  readonly ended: Ended | undefined;
}

/** The file of one running execution: what it began with, its events, how it ended. */
export interface ExecutionFile {
  event(event: HistoryEvent): void;
  end(ended: Ended): void;
  written(): Promise<void>;
  close(): void;
}

function pathOf(dir: string, arn: string): string {
  const digest = createHash('sha256').update(arn).digest('hex').slice(0, 32);
  return join(dir, 'executions', digest.slice(0, 2), `${digest}.jsonl`);
}

/** Opens the file of a new execution, or goes on with one that a stopped process left. */
export function openExecutionFile(dir: string, arn: string, begun?: Begun): ExecutionFile {
  const journal = openJournal(pathOf(dir, arn), () => undefined);
  if (begun) journal.append({ begun });
  return {
    event: (event) => journal.append({ event }),
    end: (ended) => journal.append({ ended }),
    written: () => journal.written(),
    close: () => journal.close(),
  };
}

/** Record of an execution, as far as it came; empty if it has no file. */
export function readExecutionFile(dir: string, arn: string): ExecutionRecord {
  const path = pathOf(dir, arn);
  if (!existsSync(path)) return { begun: undefined, events: [], ended: undefined };
  const events: HistoryEvent[] = [];
  let begun: Begun | undefined;
  let ended: Ended | undefined;
  const journal = openJournal(path, (raw) => {
    const line = Line.parse(raw);
    if ('begun' in line) begun = line.begun;
    else if ('event' in line) events.push(line.event);
    else ended = line.ended;
  });
  journal.close();
  return { begun, events, ended };
}
