import { join } from 'node:path';
import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Documents, openDocuments } from '../storage/document-file.ts';
import { type Journal, openJournal } from '../storage/journal.ts';
import { isOutOfRoom } from '../storage/read-lines.ts';

const LogGroup = z.object({
  name: z.string(),
  createdMs: z.number(),
  retentionInDays: z.number().optional(),
  /** Its journal's file name: a group's name may be longer than a file's and has slashes. */
  file: z.string(),
});

type LogGroup = z.infer<typeof LogGroup>;

const LogLine = z.object({
  /** Sequence number in the group, never reused. */
  n: z.number(),
  /** Stream. */
  s: z.string(),
  /** Milliseconds since the epoch. */
  t: z.number(),
  /** Message. */
  m: z.string(),
});

/** One log event as it is stored. */
export type LogLine = z.infer<typeof LogLine>;

/** Facts of a stream that are known without reading its events. */
interface LogStream {
  readonly name: string;
  readonly createdMs: number;
  readonly firstMs: number;
  lastMs: number;
  bytes: number;
}

interface OpenGroup {
  readonly journal: Journal;
  readonly streams: Map<string, LogStream>;
  nextNumber: number;
}

const DAY_MS = 86_400_000;
/** Functions and APIs write a line or more a request; one write each would take a fifth of the stack's time. */
const GATHER_MS = 250;
const TRY_AGAIN_MS = 1000;

interface WaitingLine {
  readonly name: string;
  readonly stream: string;
  readonly atMs: number;
  readonly message: string;
}

interface LogStoreOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly openFile?: typeof openJournal;
}

/**
 * Groups, their streams and events, kept in `dir`. Events stay on disk, and those past their group's retention are dropped when it is
 * opened; memory holds one small entry a stream.
 */
export class LogStore {
  readonly #options: LogStoreOptions;
  readonly #documents: Documents<LogGroup>;
  readonly #open = new Map<string, OpenGroup>();
  readonly #waiting: WaitingLine[] = [];

  constructor(options: LogStoreOptions) {
    this.#options = options;
    this.#documents = openDocuments(join(options.dir, 'groups.json'), LogGroup);
  }

  groups(): LogGroup[] {
    return [...this.#documents.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @throws {AwsError} `ResourceNotFoundException` */
  group(name: string): LogGroup {
    const group = this.#documents.get(name);
    if (group) return group;
    throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
  }

  /** Makes the group, or changes the retention of the one that is there. */
  putGroup(name: string, retentionInDays: number | undefined): LogGroup {
    const { clock } = this.#options;
    const existing = this.#documents.get(name);
    if (existing && existing.retentionInDays === retentionInDays) return existing;
    const group: LogGroup = {
      name,
      createdMs: existing?.createdMs ?? clock.now(),
      file: existing?.file ?? fileFor(name, clock.now()),
      ...(retentionInDays === undefined ? {} : { retentionInDays }),
    };
    this.#documents.set(name, group);
    return group;
  }

  deleteGroup(name: string): void {
    const { journal } = this.#opened(this.group(name));
    journal.rewrite([]);
    journal.close();
    this.#open.delete(name);
    this.#documents.delete(name);
  }

  streams(group: string): LogStream[] {
    return [...this.#opened(this.group(group)).streams.values()];
  }

  write(group: string, stream: string, message: string): void {
    // An event has at least one character, both in AWS's model of PutLogEvents and when read back.
    if (message === '') return;
    this.#waiting.push({ name: group, stream, atMs: this.#options.clock.now(), message });
    if (this.#waiting.length === 1) this.#flush();
  }

  /** Hands over the group's events in the order of writing, which is the order of time, until `visit` gives false. */
  read(group: string, visit: (line: LogLine) => boolean | void): void {
    this.#opened(this.group(group)).journal.read((record) => visit(LogLine.parse(record)));
  }

  close(): void {
    for (const { journal } of this.#open.values()) journal.close();
    this.#open.clear();
  }

  #opened(group: LogGroup): OpenGroup {
    const { dir, clock, openFile = openJournal } = this.#options;
    const existing = this.#open.get(group.name);
    if (existing) return existing;
    const made = openGroup(openFile, join(dir, group.file), group, clock.now());
    this.#open.set(group.name, made);
    return made;
  }

  /** A write that finds no descriptor or no room is retried: a line that cannot be stored yet must not fail its writer. */
  #flush(): void {
    const waiting = this.#waiting;
    for (let line = waiting[0]; line !== undefined; line = waiting[0]) {
      try {
        const group = this.#opened(this.#documents.get(line.name) ?? this.putGroup(line.name, undefined));
        const kept: LogLine = { n: group.nextNumber++, s: line.stream, t: line.atMs, m: line.message };
        group.journal.append(kept);
        noteStream(group.streams, kept);
        waiting.shift();
      } catch (error) {
        if (!isOutOfRoom(error)) throw error;
        this.#options.clock.after(TRY_AGAIN_MS, () => this.#flush());
        return;
      }
    }
  }
}

function openGroup(openFile: typeof openJournal, file: string, group: LogGroup, nowMs: number): OpenGroup {
  const oldestMs = group.retentionInDays === undefined ? 0 : nowMs - group.retentionInDays * DAY_MS;
  const streams = new Map<string, LogStream>();
  let nextNumber = 1;
  let expired = false;
  const replay = (record: unknown): void => {
    const line = LogLine.parse(record);
    nextNumber = line.n + 1;
    if (line.t < oldestMs) expired = true;
    else noteStream(streams, line);
  };
  const journal = openFile(file, replay, { gatherMs: GATHER_MS });
  if (expired) {
    const kept: unknown[] = [];
    journal.read((record) => void (LogLine.parse(record).t < oldestMs || kept.push(record)));
    journal.compact(kept);
  }
  return { journal, streams, nextNumber };
}

function noteStream(streams: Map<string, LogStream>, line: LogLine): void {
  const stream = streams.get(line.s);
  if (stream) {
    stream.lastMs = line.t;
    stream.bytes += line.m.length;
  } else {
    streams.set(line.s, {
      name: line.s,
      createdMs: line.t,
      firstMs: line.t,
      lastMs: line.t,
      bytes: line.m.length,
    });
  }
}

function fileFor(name: string, nowMs: number): string {
  return `${name.replaceAll(/[^\w.-]/g, '-').slice(-100)}-${nowMs.toString(36)}.jsonl`;
}
