import type * as z from 'zod';
import { acceptDrop } from '../../src/app/drop/accept-drop.ts';
import { settleDrop } from '../../src/app/drop/settle-drop.ts';
import { notify } from '../../src/app/report/notify.ts';
import { cleanUpRun } from '../../src/app/run/clean-up-run.ts';
import { sweep } from '../../src/app/run/sweep.ts';
import type { Topic } from '../../src/aws/messages/topic.ts';
import type { ObjectInfo, ObjectStore } from '../../src/aws/s3/object-store.ts';
import type { Executions } from '../../src/aws/states/executions.ts';
import { Frozen } from '../../src/drop/frozen.ts';
import { isCondition } from '../../src/problem/conditions.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import { memoryExecutions } from '../support/memory-executions.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../support/memory-object-store.ts';
import { memorySageMaker } from '../support/memory-sagemaker.ts';
import { memoryTopic } from '../support/memory-topic.ts';
import { memoryTrainingJobs } from '../support/memory-training-jobs.ts';
import { tellingFailures } from '../support/telling-failures.ts';
import { type Gate, type Option, scheduler } from './scheduler.ts';

const MINUTE_MS = 60_000;
const PREFIX = 'incoming/p/d/';

export interface Scenario {
  /** File names in the order of their uploads; a name that comes again is overwritten. */
  readonly uploads: readonly string[];
  /** How often each event is delivered at least. */
  readonly deliveries?: number;
  /** Time passes in steps of 16 minutes, at any moment. */
  readonly ticks?: number;
  /** An invocation of SettleDrop that Step Functions gave up goes on beside its successor. */
  readonly zombies?: boolean;
  /** Listings end after each object, and are resumed. */
  readonly piecemeal?: boolean;
  /** The daily sweep comes while all this goes on, and not only after it. */
  readonly sweeps?: boolean;
  /** How far EventBridge's clock is behind that of S3. */
  readonly skewMinutes?: number;
  /** What is made wrong on purpose, to see that the check notices. */
  readonly wrong?: Wrong;
}

/** Mistakes that the algorithm must not make. */
export type Wrong =
  | 'list before the marker'
  | 'the marker is not awaited'
  | 'an event has the LastModified of its object'
  | 'frozen.json can be overwritten'
  | 'no step opens the generation after a dead one';

interface Started {
  readonly run: string;
  readonly name: string;
  readonly arn: string;
  readonly startedAt: string;
}

/** Runs a scenario once, as the chooser decides, and returns what it did wrong. */
export async function runScenario(
  scenario: Scenario,
  choose: (options: readonly Option[]) => number,
): Promise<{ problems: string[]; trace: string[] }> {
  const {
    uploads,
    deliveries = 1,
    ticks = 0,
    zombies = false,
    piecemeal = false,
    sweeps = false,
    skewMinutes = 0,
    wrong,
  } = scenario;
  let nowMs = Date.UTC(2026, 0, 1);
  let changes = 0;
  let ids = 0;
  // Each reading is a second later, so that order shows in LastModified.
  const clock = () => new Date((nowMs += 1000));
  const store = memoryObjectStore({ clock });
  const executions = memoryExecutions({ clock });
  const messages = memoryTopic();
  const others = {
    engines: memoryEngines({ store, sagemaker: memorySageMaker({ clock }), clock }),
    training: memoryTrainingJobs({ clock }),
    clock,
    warn: () => undefined,
  };
  const world = scheduler(choose);
  store.put('pipelines/p/pipeline.json', '{"drop":{"quietSeconds":0}}');

  const problems = new Set<string>();
  /** No manifest is worked on while that of an earlier generation is. */
  const checkAlone = (run: string): void => {
    for (const key of store.keys('state/p/d/').filter((other) => other.endsWith('/frozen.json'))) {
      const hasEnded = store.info(key.replace('frozen.json', 'ended.json')) !== undefined;
      if (!key.includes(run) && !hasEnded && takesPart(store, key))
        problems.add(`at once: ${run} and ${key}`);
    }
  };
  const isRunning = (name: string): boolean =>
    executions.all.some((execution) => execution.name === name && execution.status === 'RUNNING');

  /** Asks again a minute later while another sends the message. */
  const sure = async (gate: Gate, act: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        await act();
        return;
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'MessageBeingSent') throw error;
        await gate('a minute', () => (nowMs += 61_000));
      }
    }
  };

  const gated = (gate: Gate) => {
    const start: Executions['start'] = (name, input) =>
      gate(`start ${name.slice(4, 10)}`, async () => {
        const known = executions.all.length;
        const answer = await executions.start(name, input);
        if (executions.all.length > known) execute(JSON.parse(input).run, name, answer.arn);
        return answer;
      });
    const topic: Topic = { publish: (message) => gate('publish', () => messages.publish(message)) };
    const seen = gatedStore(store, gate, () => (changes += 1), wrong);
    return {
      ...others,
      topic,
      store: seen,
      failureReports: tellingFailures({ store: seen, topic, clock: others.clock }),
      executions: (): Executions => ({ ...executions, start }),
    };
  };

  const deliver = (body: string, name: string): void => {
    world.spawn(
      name,
      async (gate, until) => {
        const services = gated(gate);
        for (;;) {
          const { batchItemFailures } = await acceptDrop({ Records: [{ messageId: 'm', body }] }, services);
          if (batchItemFailures.length === 0) return;
          const seen = changes;
          await until(() => changes !== seen);
        }
      },
      () => deliver(body, `${name}'`),
    );
  };

  const settle = (execution: Started, label: string, isZombie = false): void => {
    const { run, name, arn, startedAt } = execution;
    world.spawn(
      label,
      async (gate, until) => {
        const settings = { readBuckets: [], ...(piecemeal && { sliceLines: 1, listingBudgetMs: 0 }) };
        const services = { ...gated(gate), settings, newId: () => `id${++ids}` };
        let settled: z.infer<typeof settleDrop.output>;
        for (;;) {
          try {
            settled = await settleDrop({ run: parseRunId(run)!, executionArn: arn, startedAt }, services);
          } catch (error) {
            if (!isCondition(error, 'SliceMissing')) throw error;
            problems.add(`lost: ${error.message}`);
            return;
          }
          const seen = changes;
          if (settled.status === 'waiting') await until(() => changes !== seen);
          else if (settled.status !== 'listing') break;
        }
        if (isZombie || !isRunning(name)) return;
        if (settled.status === 'frozen') checkAlone(run);
        if (settled.status === 'frozen' || (settled.status === 'empty' && settled.announce)) {
          await sure(gate, () => notify({ run: parseRunId(run)!, status: 'completed' }, services));
        }
        if (isRunning(name)) executions.end(name, 'SUCCEEDED');
      },
      // Before its request Step Functions tries again; after it, that was the last try.
      (fate) => {
        if (fate === 'crash before') settle(execution, `${label}'`, isZombie);
        else if (!isZombie) die(run, name);
      },
    );
  };

  const execute = (run: string, name: string, arn: string): void => {
    const execution = { run, name, arn, startedAt: clock().toISOString() };
    settle(execution, `settle ${run.slice(-1)}`);
    if (zombies) settle(execution, `zombie ${run.slice(-1)}`, true);
  };

  const die = (run: string, name: string): void => {
    if (!isRunning(name)) return;
    const execution = executions.all.find((one) => one.name === name)!;
    executions.end(name, 'FAILED');
    changes += 1;
    const { arn, input, startedAt } = execution;
    const detail = { executionArn: arn, status: 'FAILED' as const, input, startDate: startedAt.getTime() };
    const cleanUp = (label: string): void =>
      world.spawn(
        label,
        async (gate) => {
          const services = gated(gate);
          if (wrong === 'no step opens the generation after a dead one') {
            services.executions = () => ({
              ...executions,
              start: async () => ({ outcome: 'started', arn: '' }),
            });
          }
          await sure(gate, () => cleanUpRun({ detail }, services));
        },
        () => cleanUp(`${label}'`),
      );
    cleanUp(`bury ${run.slice(-1)}`);
  };

  // In reverse, as the youngest process goes first.
  for (const [at, name] of [...uploads.entries()].toReversed()) {
    world.spawn(`upload ${at}`, async (gate) => {
      // S3 gives a multipart upload the time of its start.
      const startedAt = await gate(`begin ${name}`, clock);
      await gate(`put ${name}`, () => {
        store.put(`${PREFIX}${name}`, `${name} ${at}`, startedAt);
        changes += 1;
        const seen = wrong === 'an event has the LastModified of its object' ? startedAt : clock();
        const time = new Date(seen.getTime() - skewMinutes * MINUTE_MS).toISOString();
        const body = JSON.stringify({ key: `${PREFIX}${name}`, time });
        for (let delivery = 0; delivery < deliveries; delivery++)
          deliver(body, `event ${at}${'+'.repeat(delivery)}`);
      });
    });
  }
  if (ticks > 0) {
    world.spawn('time', async (gate) => {
      for (let tick = 0; tick < ticks; tick++) await gate('16 minutes', () => (nowMs += 16 * MINUTE_MS));
    });
  }

  if (sweeps) {
    // What it cannot do because others are at it, it leaves to them.
    world.spawn('sweep', async (gate) => void (await sweep({}, gated(gate))));
  }
  await world.run();
  if (wrong === undefined) {
    world.spawn('next sweep', async (gate) => {
      const { failed } = await sweep({}, gated(gate));
      if (failed > 0) problems.add('the sweep failed');
    });
  }
  const stuck = await world.run();
  for (const name of stuck) problems.add(`stuck: ${name}`);
  for (const problem of [...judgeManifests(store), ...judgeMessages()]) problems.add(problem);
  return { problems: [...problems], trace: world.trace };

  /**
   * A run has one message, and a dead run has one for certain. Twice only where a sender died between SNS's answer and writing it
   * down, or where the clock jumped between its claim and its sending, which no function lives to see.
   */
  function judgeMessages(): string[] {
    return executions.all.flatMap(({ input, status }) => {
      const { run } = JSON.parse(input);
      const reported = messages.messages.filter(({ attributes }) => attributes.run === run).length;
      const lost = world.trace.filter((line) =>
        /(publish \(crash after|message.json \(crash before)\)$/.test(line),
      ).length;
      return reported >= (status === 'FAILED' && !isSilentlyEmpty(store, run) ? 1 : 0) &&
        reported <= 1 + lost + ticks
        ? []
        : [`reported ${reported} times: ${run}`];
    });
  }
}

/** Every version is in at most one manifest, and the newest of each file in exactly one. */
function judgeManifests(store: MemoryObjectStore): string[] {
  const taken = new Map<string, number>();
  for (const key of store.keys('state/').filter((name) => name.endsWith('/frozen.json'))) {
    const frozen = Frozen.parse(JSON.parse(store.text(key)!));
    if (frozen.status !== 'frozen') continue;
    const sliced = frozen.manifestSlices.map(({ object }) => store.text(object)).join('');
    const published = store.text(key.replace('state/', 'runs/').replace('frozen.json', 'manifest.jsonl'));
    if (published !== undefined && published !== sliced) taken.set(`manifest beside ${key} is another`, 9);
    for (const line of sliced.split('\n').filter((text) => text !== '')) {
      const { key: file, etag, lastModified } = JSON.parse(line);
      const version = `${file} ${etag} ${lastModified}`;
      taken.set(version, (taken.get(version) ?? 0) + 1);
    }
  }
  const problems = [...taken]
    .filter(([, count]) => count > 1)
    .map(([version, count]) => `in ${count} manifests: ${version}`);
  for (const key of store.keys(PREFIX)) {
    const { etag, lastModified } = store.info(key)!;
    if (!taken.has(`${key} ${etag} ${lastModified.toISOString()}`)) problems.push(`lost: ${key}`);
  }
  return problems;
}

function frozenAt(store: MemoryObjectStore, key: string): Frozen | undefined {
  const text = store.text(key);
  return text === undefined ? undefined : Frozen.parse(JSON.parse(text));
}

function takesPart(store: MemoryObjectStore, key: string): boolean {
  return (frozenAt(store, key)?.objects ?? 0) > 0;
}

/** A later generation without new files ends without a word, even if its execution fails after that. */
function isSilentlyEmpty(store: MemoryObjectStore, run: string): boolean {
  const frozen = frozenAt(store, `state/${run}/frozen.json`);
  return frozen?.status === 'frozen' && frozen.objects === 0;
}

/** What no other process reads or writes meanwhile needs no gate: the report of a dead run, and the configuration. */
const ALONE = /report|receipt|plan\.json|index\/|jobs\/|fold\/|pipelines\//;

/** Each request a gate; listings meet one at every page. */
function gatedStore(
  store: MemoryObjectStore,
  everyGate: Gate,
  onChange: () => void,
  wrong: Wrong | undefined,
): ObjectStore {
  let early: ObjectInfo[] | undefined;
  const change = async <T>(act: () => Promise<T>): Promise<T> => {
    const result = await act();
    onChange();
    return result;
  };
  const short = (key: string): string => key.replace(PREFIX, '');
  const gate: Gate = async (label, act) => (ALONE.test(label) ? act() : everyGate(label, act));
  const gatedOne: ObjectStore = {
    bucket: store.bucket,
    in: () => gatedOne,
    describe: (key) =>
      gate(`HEAD ${short(key)}`, () => {
        if (wrong === 'list before the marker' && key.endsWith('/freezing'))
          early ??= store.keys(PREFIX).map((listed) => store.info(listed)!);
        return store.describe(key);
      }),
    readText: (key) => gate(`GET ${short(key)}`, () => store.readText(key)),
    readBytes: (key, range) => gate(`GET ${short(key)}`, () => store.readBytes(key, range)),
    readStream: (key, range) => gate(`GET ${short(key)}`, () => store.readStream(key, range)),
    // A pulse alone gives no waiting step a reason to look again.
    write: (key, body, options) =>
      gate(`PUT ${short(key)}`, () =>
        key.endsWith('/pulse')
          ? store.write(key, body, options)
          : change(() => store.write(key, body, options)),
      ),
    writeStream: (key, body) => gate(`PUT ${short(key)}`, () => change(() => store.writeStream(key, body))),
    async createIfAbsent(key, body) {
      const created = gate(`CREATE ${short(key)}`, () =>
        change(async () => {
          if (wrong !== 'frozen.json can be overwritten') return store.createIfAbsent(key, body);
          await store.write(key, body);
          return true;
        }),
      );
      return wrong === 'the marker is not awaited' && key.endsWith('/freezing') ? true : created;
    },
    replace: (key, body, etag) =>
      gate(`REPLACE ${short(key)}`, () => change(() => store.replace(key, body, etag))),
    open: (key, versionId) => gate(`GET ${short(key)}`, () => store.open(key, versionId)),
    versions: (key) => gate(`LIST ${short(key)}`, () => store.versions(key)),
    keptSha256: (key) => gate(`HEAD ${short(key)}`, () => store.keptSha256(key)),
    join: (keys, key, options) =>
      gate(`JOIN ${short(key)}`, () => change(() => store.join(keys, key, options))),
    copy: (source, key) => gate(`COPY ${short(key)}`, () => change(() => store.copy(source, key))),
    copyOver: (source, key, etag) =>
      gate(`COPY ${short(key)}`, () => change(() => store.copyOver(source, key, etag))),
    listPage: (prefix, options) =>
      gate(`LIST ${short(prefix)}`, async () =>
        prefix === PREFIX && early
          ? { objects: early.filter(({ key }) => key > (options?.startAfter ?? '')) }
          : store.listPage(prefix, options),
      ),
    async *list(prefix, options) {
      let continuation: string | undefined;
      do {
        const page = await gatedOne.listPage(prefix, {
          ...options,
          ...(continuation !== undefined && { continuation }),
        });
        yield* page.objects;
        continuation = page.continuation;
      } while (continuation !== undefined);
    },
    async *listFolders(prefix) {
      yield* await gate(`LIST ${short(prefix)}`, () => Array.fromAsync(store.listFolders(prefix)));
    },
    delete: (key) => gate(`DELETE ${short(key)}`, () => change(() => store.delete(key))),
  };
  return gatedOne;
}
