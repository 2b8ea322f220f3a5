import type * as z from 'zod';
import { thumbnail } from '../../functions/runtime/thumbnail.ts';
import { acceptDrop } from '../../src/app/drop/accept-drop.ts';
import { settleDrop } from '../../src/app/drop/settle-drop.ts';
import { notify } from '../../src/app/report/notify.ts';
import { writeReport } from '../../src/app/report/write-report.ts';
import { cleanUpRun } from '../../src/app/run/clean-up-run.ts';
import type { ManifestEntry } from '../../src/drop/manifest-entry.ts';
import { toExecutionName } from '../../src/run/execution-name.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import type { RunKind } from '../../src/run/run-kind.ts';
import { memoryEngineLogs } from './memory-engine-logs.ts';
import { memoryEngines, memoryPreparers } from './memory-engines.ts';
import { memoryExecutions } from './memory-executions.ts';
import { memoryObjectStore } from './memory-object-store.ts';
import { memorySageMaker } from './memory-sagemaker.ts';
import { memoryTopic } from './memory-topic.ts';
import { memoryTrainingJobs } from './memory-training-jobs.ts';
import { tellingFailures } from './telling-failures.ts';

export interface DropWorldOptions {
  readonly pageSize?: number;
  readonly sliceLines?: number;
  readonly listingBudgetMs?: number;
  readonly readBuckets?: readonly string[];
}

/** The application around a drop, in memory: uploads, events, executions, and a clock that tests move. */
export function dropWorld({
  pageSize,
  sliceLines,
  listingBudgetMs,
  readBuckets = ['other', 'gone'],
}: DropWorldOptions = {}) {
  let nowMs = Date.UTC(2026, 2, 1, 12);
  let ids = 0;
  const clock = () => new Date(nowMs);
  const store = memoryObjectStore({ clock, others: ['other', 'secret'], ...(pageSize && { pageSize }) });
  const executions = memoryExecutions({ clock });
  const trainings = memoryExecutions({ clock, machine: 'training' });
  const byKind = { inference: executions, training: trainings };
  const machineOf = (run: string) => byKind[parseRunId(run)!.kind];
  const sagemaker = memorySageMaker({ clock });
  const training = memoryTrainingJobs({ clock });
  const topic = memoryTopic();
  const warnings: { message: string; facts: Readonly<Record<string, unknown>> }[] = [];
  const warn = (message: string, facts: Readonly<Record<string, unknown>>) =>
    void warnings.push({ message, facts });
  const settings = {
    readBuckets,
    ...(sliceLines !== undefined && { sliceLines }),
    ...(listingBudgetMs !== undefined && { listingBudgetMs }),
  };
  const failureReports = tellingFailures({ store, topic, clock });
  const services = {
    store,
    executions: (kind: RunKind) => byKind[kind],
    failureReports,
    sagemaker,
    engines: memoryEngines({ store, sagemaker, clock }),
    prepare: memoryPreparers(store, sagemaker),
    training,
    topic,
    clock,
    warn,
    settings,
    newId: () => `id${++ids}`,
  };

  const world = {
    ...services,
    services,
    executions,
    trainings,
    warnings,
    advance: (seconds: number) => void (nowMs += seconds * 1000),
    /** Body of the queue message about an upload now, or at another time. */
    event: (key: string, at = clock()) =>
      JSON.stringify({ key, size: 1, etag: 'e', version: 'v', time: at.toISOString() }),
    upload: (key: string, body = key) => {
      store.put(key, body);
      return world.event(key);
    },
    accept: (...bodies: string[]): Promise<z.infer<typeof acceptDrop.output>> =>
      acceptDrop({ Records: bodies.map((body, at) => ({ messageId: `m${at}`, body })) }, services),
    settleOnce: (run: string): Promise<z.infer<typeof settleDrop.output>> => {
      const parts = parseRunId(run)!;
      const execution = machineOf(run).all.find(({ name }) => name === toExecutionName(parts))!;
      const startedAt = (execution?.startedAt ?? clock()).toISOString();
      return settleDrop({ run: parts, executionArn: execution?.arn ?? 'arn', startedAt }, services);
    },
    /** Waits, as the state machine does, until the drop is settled. */
    settle: async (run: string): Promise<z.infer<typeof settleDrop.output>> => {
      for (let looks = 0; looks < 1000; looks++) {
        const settled = await world.settleOnce(run);
        if (settled.status === 'waiting') world.advance(settled.waitSeconds);
        else if (settled.status !== 'listing') return settled;
      }
      throw new Error(`${run} never settles`);
    },
    /** The rest of a successful run, without its report. */
    finish: async (run: string) => {
      const parts = parseRunId(run)!;
      await notify({ run: parts, status: 'completed' }, services);
      machineOf(run).end(toExecutionName(parts), 'SUCCEEDED');
    },
    /** What the state machine does on a settled drop. */
    run: async (run: string): Promise<z.infer<typeof settleDrop.output>> => {
      const settled = await world.settle(run);
      if (settled.status === 'frozen') await world.finish(run);
      else machineOf(run).end(toExecutionName(parseRunId(run)!), 'SUCCEEDED');
      return settled;
    },
    die: async (
      run: string,
      status: 'FAILED' | 'TIMED_OUT' | 'ABORTED' = 'FAILED',
      reason?: { error: string; cause: string },
    ) => {
      const name = toExecutionName(parseRunId(run)!);
      machineOf(run).end(name, status, reason);
      return cleanUpRun(world.deathOf(run), services);
    },
    deathOf: (run: string) => {
      const execution = machineOf(run).all.find(({ name }) => name === toExecutionName(parseRunId(run)!))!;
      const { arn, status, input, startedAt, error, cause } = execution;
      return {
        detail: {
          executionArn: arn,
          status: status as 'FAILED',
          input,
          startDate: startedAt.getTime(),
          ...(error !== undefined && { error }),
          ...(cause !== undefined && { cause }),
        },
      };
    },
    writeReport: (run: string, failure?: { error: string; cause: string }) =>
      writeReport(
        { run: parseRunId(run)!, startedAt: clock().toISOString(), ...(failure && { failure }) },
        { ...services, logs: memoryEngineLogs(), thumbnail },
      ),
    manifest: (run: string): ManifestEntry[] => lines(store.text(`runs/${run}/manifest.jsonl`)),
    keys: (run: string): string[] => world.manifest(run).map(({ key }) => key),
    /** Runs by the executions that were started, in order. */
    runs: (): string[] => executions.all.map(({ input }) => JSON.parse(input).run),
  };
  return world;
}

export type DropWorld = ReturnType<typeof dropWorld>;

function lines(text: string | undefined): ManifestEntry[] {
  if (text === undefined) throw new Error('no manifest');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ManifestEntry);
}
