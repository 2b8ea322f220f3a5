import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack, StackOptions } from '@inferdrop/laptop';
import { type Clock, systemClock } from '../../packages/laptop/kernel/clock.ts';
import { onBadAnswer } from '../../packages/laptop/test/support/bad-answer.ts';
import { executionArnOf } from '../../src/app/run/start-run.ts';
import { type Application, connect } from '../../src/cli/application.ts';
import { bringUp, type Machine } from '../../src/cli/laptop/laptop-stack.ts';
import { awaitRun, type FinishedRun } from '../../src/cli/runs/finish-run.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import type { Terminal } from '../../src/cli/show/terminal.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { toExecutionName } from '../../src/run/execution-name.ts';
import { isAlive } from '../../src/run/execution-status.ts';
import { recordRoleCalls } from './role-call-recorder.ts';
import { readOutcome, type RunOutcome } from './run-outcome.ts';
import { silentTerminal } from './silent-terminal.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist');
const LOOK_EVERY_MS = 250;

/** The system's time and timers, but waits of states, retries and looks at a container take a fifth: machines look more often. */
const hurriedClock: Clock = {
  ...systemClock,
  sleep: (delayMs, signal) => systemClock.sleep(delayMs / 5, signal),
};

/** The whole application on this machine, in a folder of its own. */
export interface Laptop {
  readonly stack: Stack;
  readonly application: Application;
  readonly dataDir: string;
  /** Uploads the example's model with its pipeline.json, changed as a test needs it. */
  givePipeline(name: string, change?: (config: any) => void): Promise<void>;
  /** Uploads files into a drop, and then `_READY` unless more will follow; keys are relative to it. */
  upload(
    pipeline: string,
    drop: string,
    files: Readonly<Record<string, Uint8Array | string>>,
    options?: { readonly isReady?: boolean },
  ): Promise<void>;
  /** `count` images of the example, by file name. */
  images(count: number): Promise<Record<string, Uint8Array>>;
  /** Waits for the end of a run's execution. */
  await(run: string): Promise<FinishedRun>;
  /** Waits until a run is marked as ended; then all that it left. */
  outcome(run: string): Promise<RunOutcome>;
  /** Waits until something is so. */
  until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T>;
  /** The ARN of a run's execution. */
  executionArn(run: string): string;
  /** Calls of roles that `inferdrop verify` does not ask IAM about; with RECORD_ROLE_CALLS=1 `close` puts them on file. */
  unaskedCalls(): readonly string[];
  /** Ends the stack and brings it up again from what it kept, at the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Brings the stack up with the packaged template, on any free port. One a test file: it owns the process's AWS settings. */
export async function startLaptop(
  faults?: StackOptions['faults'],
  terminal: Terminal = silentTerminal(),
  {
    clock = hurriedClock,
    ...machine
  }: Pick<
    Machine,
    'clock' | 'exactWaits' | 'legacyElasticInference' | 'limits' | 'parameters' | 'trainingPythons'
  > = {},
): Promise<Laptop> {
  const dataDir = temporaryFolder('inferdrop-');
  const { onAllowed, keep, unasked } = recordRoleCalls('inferdrop-dev');
  const up = (port: number) =>
    bringUp(
      { stage: 'dev', port, dataDir, clock, onBadAnswer, onAllowed, ...machine, ...(faults && { faults }) },
      terminal,
    );
  let stack = await up(0);
  const application = await connect('dev');
  const { store } = application;
  const until: Laptop['until'] = async (look) => {
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      await sleep(LOOK_EVERY_MS);
    }
  };
  return {
    get stack() {
      return stack;
    },
    application,
    dataDir,
    async givePipeline(name, change = () => undefined) {
      const config = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
      // `upload` ends the wait for files: however slow the machine is, no drop begins before the last of them.
      config.drop = { quietSeconds: 600 };
      // An endpoint has a process of its own: only the tests that are about one pay for it.
      config.endpoint = { deploy: 'never' };
      change(config);
      await store.write(bucketLayout.pipelineModel(name), await readFile(path.join(EXAMPLE, 'model.tar.gz')));
      await store.write(bucketLayout.pipelineConfig(name), JSON.stringify(config));
    },
    async upload(pipeline, drop, files, { isReady = true } = {}) {
      const folder = bucketLayout.dropFolder({ kind: 'inference', pipeline, drop });
      await Promise.all(Object.entries(files).map(([name, body]) => store.write(folder + name, body)));
      if (isReady) await store.write(`${folder}_READY`, '');
    },
    async images(count) {
      const names = (await readdir(path.join(EXAMPLE, 'images'))).sort().slice(0, count);
      const entries = names.map(
        async (name) => [name, await readFile(path.join(EXAMPLE, 'images', name))] as const,
      );
      return Object.fromEntries(await Promise.all(entries));
    },
    async await(run) {
      const parts = toRun(run);
      const executions = application.executions(parts.kind);
      const arn = executions.arnOf(toExecutionName(parts));
      // `awaitRun` also polls the history, which is expensive; it only reads the end here.
      await until(async () => {
        const description = await executions.describe(arn);
        return description === undefined || isAlive(description) ? undefined : description;
      });
      return awaitRun(application, run, terminal);
    },
    async outcome(run) {
      await until(() => store.describe(bucketLayout.ended(toRun(run))));
      return readOutcome(store, run);
    },
    until,
    executionArn: (run) => executionArnOf(application.executions, toRun(run)),
    async restart() {
      const port = Number(new URL(stack.endpoint).port);
      await stack.close();
      stack = await up(port);
    },
    unaskedCalls: () => unasked(stack),
    async close() {
      if (process.env['RECORD_ROLE_CALLS'] !== undefined) keep(stack);
      await stack.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
