/**
 * `npm run lab -- load [--only predict|runs|files|week] [--minutes M] [--callers C] [--rounds R] [--files F] [--days
 * D]`: load on the real laptop stack, while what its process holds is measured. Lambda functions run in processes of
 * their own; their number is part of the descriptors.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../../packages/laptop/kernel/clock.ts';
import { manualClock } from '../../packages/laptop/test/support/manual-clock.ts';
import { callApi } from '../../src/aws/calls/call-api.ts';
import { logEvents } from '../../src/aws/logs/log-events.ts';
import { type Laptop, startLaptop } from '../../test/support/laptop.ts';
import { CLOCK_SHIM, dateAnswers, shareClock } from '../../test/support/machine-clock.ts';
import { silentTerminal } from '../../test/support/silent-terminal.ts';
import { type Allowed, type Holding, judgeSeries } from './series.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    callers: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '6' },
    files: { type: 'string', default: '200000' },
    days: { type: 'string', default: '7' },
  },
});
const SCENARIOS = { predict, runs, files, week };
const RUNS_AT_ONCE = 20;
const LOOKS = 40;
const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
/** The clock's file is looked at every 25 ms. */
const SHARED_AFTER_MS = 40;
const FUNCTION_MS = 100;
const MAX_WORK_MS = 30_000;
/** The stack stops a function's instance after an idle minute. */
const SETTLES_MS = 90_000;
const SETTLED_DESCRIPTORS = 20;

let problems = 0;
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (values.only !== undefined && values.only !== name) continue;
  const began = performance.now();
  const { said, series, allowed } = await scenario();
  const judged = judgeSeries(series, allowed);
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  process.stdout.write(`${name}: ${said}, ${seconds} s\n${judged.lines.join('\n')}\n`);
  for (const problem of judged.problems) process.stdout.write(`  PROBLEM ${problem}\n`);
  problems += judged.problems.length;
}
process.exit(problems === 0 ? 0 : 1);

interface Outcome {
  readonly said: string;
  readonly series: readonly Holding[];
  readonly allowed: Allowed;
}

/** Callers of the prediction API, one request after the other each. */
async function predict(): Promise<Outcome> {
  const laptop = await startLaptop(undefined, undefined, { clock: systemClock });
  await deploy(laptop);
  const [image] = Object.values(await laptop.images(1));
  const url = new URL(`${laptop.application.apiUrl}/predict/clothes`);
  const measured = measure(laptop);
  await measured.look();
  const beganMs = Date.now();
  const untilMs = beganMs + Number(values.minutes) * 60_000;
  const answers = new Map<string, { count: number; lastSeconds: number }>();
  const statuses = new Set<number>();
  const caller = async (): Promise<void> => {
    while (Date.now() < untilMs) {
      const answer = await callApi({
        method: 'POST',
        url,
        headers: { 'content-type': 'image/png' },
        body: image!,
      });
      const text = await answer.text();
      statuses.add(answer.status);
      const kind = answer.status === 200 ? '200' : `${answer.status} ${text}`;
      const { count } = answers.get(kind) ?? { count: 0 };
      answers.set(kind, { count: count + 1, lastSeconds: Math.round((Date.now() - beganMs) / 1_000) });
    }
  };
  const watching = (async () => {
    while (Date.now() < untilMs) {
      await sleep((Number(values.minutes) * 60_000) / LOOKS);
      await measured.look();
    }
  })();
  await Promise.all([watching, ...Array.from({ length: Number(values.callers) }, caller)]);
  const series = [...measured.series];
  await sleep(SETTLES_MS);
  await measured.look();
  const reasons = new Map<string, number>();
  for await (const { text } of logEvents({ logGroupName: '/aws/vendedlogs/http-api/inferdrop-dev' })) {
    const { status, time, error, integrationError } = JSON.parse(text);
    if (status !== '503' || Number(time) < beganMs) continue;
    const reason = integrationError === '-' ? error : integrationError;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  await laptop.close();
  const descriptors = [series[0], measured.series.at(-1)].map(
    (holding) => holding?.descriptors ?? Number.NaN,
  );
  if (!(descriptors[1]! - descriptors[0]! <= SETTLED_DESCRIPTORS)) problems++;
  const counts = [...answers].map(
    ([kind, { count, lastSeconds }]) => `${count} of ${kind} (the last after ${lastSeconds} s)`,
  );
  if ([...statuses].some((status) => ![200, 429, 503].includes(status))) problems++;
  return {
    said:
      `${values.callers} callers for ${values.minutes} minutes, answers: ${counts.join(', ')}; 503 because ` +
      `${JSON.stringify(Object.fromEntries(reasons))}; descriptors before and ` +
      `${SETTLES_MS / 1_000} s after: ${descriptors.join(' and ')}`,
    series,
    // Instances come and go under load, with about six descriptors each: these are judged after it.
    allowed: { rssMb: 60, heapMb: 25, descriptors: Number.POSITIVE_INFINITY, files: 50 },
  };
}

/** Runs at once, round after round: what stays of a round is its objects and logs. */
async function runs(): Promise<Outcome> {
  const laptop = await startLaptop(undefined, undefined, { clock: systemClock });
  await laptop.givePipeline('p');
  const images = await laptop.images(5);
  const measured = measure(laptop);
  const ended = new Map<string, number>();
  for (let round = 0; round < Number(values.rounds); round++) {
    const drops = Array.from({ length: RUNS_AT_ONCE }, (_, index) => `r${round}-${index}`);
    await Promise.all(drops.map((drop) => laptop.upload('p', drop, images)));
    const outcomes = await Promise.all(drops.map((drop) => laptop.await(`p/${drop}/000001`)));
    for (const { success } of outcomes) {
      const word = toWord(success);
      ended.set(word, (ended.get(word) ?? 0) + 1);
    }
    await measured.look();
  }
  await laptop.close();
  const rounds = Number(values.rounds);
  return {
    said: `${rounds} rounds of ${RUNS_AT_ONCE} runs at once: ${JSON.stringify(Object.fromEntries(ended))}`,
    series: measured.series,
    // A run leaves its objects, its log streams and its execution's history, which the stack keeps on purpose.
    allowed: { rssMb: 40 * rounds, heapMb: 8 * rounds, descriptors: 20, files: 200 * RUNS_AT_ONCE * rounds },
  };
}

/** Small files in one drop, a run of them, and a drop of the same size again. */
async function files(): Promise<Outcome> {
  const laptop = await startLaptop(undefined, undefined, { clock: systemClock });
  await laptop.givePipeline('p');
  const [image] = Object.values(await laptop.images(1));
  const { bucket } = laptop.application;
  const count = Number(values.files);
  const measured = measure(laptop);
  for (let at = 0; at < count; at++) {
    await laptop.stack.objects.write(
      bucket,
      `incoming/p/many/${String(at).padStart(7, '0')}-shirt.png`,
      Buffer.from(image!),
    );
    if (at % Math.ceil(count / LOOKS) === 0) await measured.look();
  }
  await laptop.upload('p', 'many', {});
  const { success } = await laptop.await('p/many/000001');
  await measured.look();
  await laptop.close();
  return {
    said: `${count} files in one drop: ${toWord(success)}`,
    series: measured.series,
    // An object's entry in the emulator's index is in memory, and its body is a file. Functions and a container come up at the end, and are
    // kept until they are idle.
    allowed: { rssMb: 400 + count / 250, heapMb: 50 + count / 500, descriptors: 200, files: 3 * count },
  };
}

/** Days of sweeps, expiries and retention, by the clock of the stack, of its functions and of its answers. */
async function week(): Promise<Outcome> {
  const systemNow = Date.now;
  const clock = manualClock(systemNow());
  const clockFile = path.join(await mkdtemp(path.join(tmpdir(), 'week-')), 'clock');
  shareClock(clockFile);
  dateAnswers(clock.now);
  // Signatures are also made and verified in this process.
  process.env['FAULTS_CLOCK'] = clockFile;
  await import(CLOCK_SHIM);
  const advance = async (ms: number): Promise<void> => {
    // Functions that the schedules call now find the time of the call.
    await writeFile(clockFile, String(clock.now() + ms - systemNow()));
    await sleep(SHARED_AFTER_MS);
    await clock.advance(ms);
  };
  let isOver = false;
  // Time passes slowly while the stack comes up, while a run is made, and while the stack stops; in between, the campaign moves it.
  const tick = async (): Promise<void> => {
    while (!isOver) await advance(100);
  };
  const ticking = tick();
  const laptop = await startLaptop(undefined, silentTerminal(), { clock });
  await deploy(laptop);
  isOver = true;
  await ticking;
  const measured = measure(laptop);
  const steps = (Number(values.days) * 24 * HOUR_MS) / QUARTER_MS;
  for (let step = 0; step < steps; step++) {
    await advance(QUARTER_MS);
    await worked(laptop);
    if (step % Math.ceil(steps / LOOKS) === 0) await measured.look();
  }
  const keys = [...laptop.stack.objects.list(laptop.application.bucket, '')].map(({ key }) => key);
  const left = keys.filter((key) => key.startsWith('endpoints/'));
  if (left.length > 0) problems++;
  const logGroupName = '/aws/lambda/inferdrop-dev-sweep-endpoints';
  const lines = await Array.fromAsync(logEvents({ logGroupName }));
  const sweeps = lines.filter(({ text }) => text.includes('platform.report')).length;
  const late = lines.filter(({ text }) => text.includes('"timeout"')).length;
  // Those that a step of the clock ended are called again, as every asynchronous call that fails.
  if (sweeps - late < 0.9 * steps) problems++;
  isOver = false;
  const ending = tick();
  await laptop.close();
  isOver = true;
  await ending;
  await rm(path.dirname(clockFile), { recursive: true });
  return {
    said:
      `${values.days} days after an endpoint was deployed for 8 hours, in ${steps} steps of a quarter of an hour: ` +
      `${sweeps} sweeps of endpoints ` +
      `(${late} timed out), ${left.length} files of an endpoint left, ${keys.length} objects`,
    series: measured.series,
    allowed: { rssMb: 40, heapMb: 15, descriptors: 20, files: 60 * Number(values.days) },
  };
}

/** Functions that a schedule or a machine has called are processes: their work takes real time, in which the clock stands. */
async function worked({ dataDir }: Laptop): Promise<void> {
  const logs = path.join(dataDir, 'logs');
  const untilMs = performance.now() + MAX_WORK_MS;
  await sleep(FUNCTION_MS);
  for (let idle = 0; idle < 2 && performance.now() < untilMs; await sleep(FUNCTION_MS)) {
    const names = readdirSync(logs).filter((name) => name.startsWith('-aws-lambda-'));
    const text = names.map((name) => readFileSync(path.join(logs, name), 'utf8')).join('');
    const count = (kind: string): number => text.split(`platform.${kind}`).length;
    idle = count('start') === count('report') ? idle + 1 : 0;
  }
}

/** A run that fails is also a problem of the load. */
function toWord(success: boolean): string {
  if (!success) problems++;
  return success ? 'succeeded' : 'failed';
}

async function deploy(laptop: Laptop): Promise<void> {
  await laptop.givePipeline('clothes', (config) => {
    config.gate = { minAccuracy: 0.1, minInputs: 20, confidence: null };
    config.endpoint = { deploy: 'when-gate-passes', ttlHours: 8 };
  });
  await laptop.upload('clothes', 'monday', await laptop.images(20));
  await laptop.await('clothes/monday/000001');
  const url = new URL(`${laptop.application.apiUrl}/predict/clothes`);
  const [body] = Object.values(await laptop.images(1));
  await laptop.until(async () => {
    const answer = await callApi({
      method: 'POST',
      url,
      headers: { 'content-type': 'image/png' },
      body: body!,
    });
    await answer.arrayBuffer();
    return answer.status === 200 ? true : undefined;
  });
}

function measure({ dataDir }: Laptop): { readonly series: Holding[]; look(): Promise<void> } {
  const series: Holding[] = [];
  const began = performance.now();
  return {
    series,
    async look() {
      globalThis.gc?.();
      const { rss, heapUsed } = process.memoryUsage();
      series.push({
        atSeconds: (performance.now() - began) / 1_000,
        rssMb: rss / 1e6,
        heapMb: heapUsed / 1e6,
        descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
        files: (await readdir(dataDir, { recursive: true })).length,
      });
    },
  };
}
