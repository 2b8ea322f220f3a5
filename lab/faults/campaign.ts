/**
 * `npm run test:faults [-- --seed N] [--minutes M] [--drops D] [--harass SECONDS] [--rounds R]`: random drops on the real stack, as
 * a process with a disk, while an adversary kills, delays, repeats and refuses; after each round, an independent check compares the
 * acknowledged writes with the stored ones.
 */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { connectTo } from './application.ts';
import { attack, harass } from './attack.ts';
import { checkRound } from './check-round.ts';
import { drawsFrom } from './draw.ts';
import { allowedRepeats } from './sending.ts';
import { StackProcess } from './stack-process.ts';
import { createUploader, type PipelineName, SERVED } from './uploader.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    drops: { type: 'string' },
    harass: { type: 'string' },
    rounds: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Math.floor(Date.now() / 1000));
const untilMs = Date.now() + Number(values.minutes ?? 3) * 60_000;
const ROUNDS = Number(values.rounds ?? Infinity);
const DROPS_A_ROUND = Number(values.drops ?? 20);
const ROOT = path.resolve(import.meta.dirname, '..', '..');
const QUIET_LIMIT_MS = 8 * 60_000;
/** Looks, a second apart and more, that find the same waiting before the clock is put forward. */
const LOOKS_BEFORE_SKIP = 8;
const SKIP_MS = 5 * 60_000;
/** Beyond the uploads, so that runs are hit in their later states too. */
const ATTACK_MS = 15_000;
/** While the runs come to their end. */
const HARASS_MS = Number(values.harass ?? 60) * 1000;

/** Each draws on its own, so that a seed gives each the same draws, whatever the other one's pace. */
const draws = drawsFrom(seed);
const harms = drawsFrom(~seed);
const { chance } = draws;
const dir = await mkdtemp(path.join(tmpdir(), 'faults-'));
const stack = new StackProcess(dir, await freePort());
await stack.start();
const say = (line: string): void =>
  void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
say(`seed ${seed}, data in ${dir}`);
process.once('uncaughtException', (error) => {
  report();
  end([error.message]);
});
const application = await connectTo(stack.dataDir);
const uploader = await createUploader(application, draws);

let drops = 0;
let problems: string[] = [];
for (let round = 1; round <= ROUNDS && Date.now() < untilMs && problems.length === 0; round++) {
  const names = Array.from(
    { length: DROPS_A_ROUND },
    (_, index) => [pipelineOf(), `r${round}-${index}`] as const,
  );
  const stop = new AbortController();
  const watching = keepUp(stop.signal);
  const attacking = attack(stack, uploader, harms, stop.signal);
  await Promise.all(names.map(([pipeline, name]) => uploader.fill(pipeline, name)));
  drops += names.length;
  await sleep(ATTACK_MS);
  stop.abort();
  await Promise.all([watching, attacking]);
  await stack.calm();
  const enough = new AbortController();
  const harassing = harass(stack, uploader, harms, enough.signal);
  const harassedUntil = Date.now() + HARASS_MS;
  while (Date.now() < harassedUntil && (await application.busy()).length > 0) await sleep(1000);
  enough.abort();
  await harassing;
  await stack.calm();
  await uploader.deliverAtOnce();
  const calmed = Date.now();
  const left = await quiet();
  const redriven = await application.redrive();
  if (redriven > 0) {
    uploader.counts['dead letter'] = (uploader.counts['dead letter'] ?? 0) + redriven;
    left.push(...(await quiet()));
  }
  const waited = Math.round((Date.now() - calmed) / 1000);
  let found = await check();
  if (found.problems.length === 0 && found.failed.length + found.stranded.length > 0) {
    for (const drop of found.stranded) await application.put(`incoming/${drop}/_READY`, String(round));
    for (const name of found.failed) await rerun(name.split(' ')[0]!);
    uploader.counts['rerun'] = (uploader.counts['rerun'] ?? 0) + found.failed.length;
    say(`again: ${[...found.failed, ...found.stranded].join(' ')}`);
    left.push(...(await quiet()));
    found = await check();
    found.problems.push(
      ...[...found.failed, ...found.stranded].map((name) => `${name}: not predicted by a rerun either`),
    );
  }
  problems = [
    ...left.map((what) => `not quiet after ${QUIET_LIMIT_MS / 1000} s: ${what}`),
    ...found.problems,
  ];
  say(
    `round ${round}: ${drops} drops, ${found.files} files, ${found.runs} runs (${found.failed.length} failed: ` +
      `${found.failed.join(' ')}), ` +
      `quiet after ${waited} s, ${stack.kills} stacks killed, start ${Math.round(stack.startMs.at(-1) ?? 0)} ms, ` +
      `${problems.length} problems`,
  );
  report();
}
await stack.stop();
report();
end(problems);

function end(found: readonly string[]): never {
  for (const [place, kills] of [...stack.places].toSorted()) say(`  ${kills} ${place}`);
  for (const problem of found) say(problem);
  if (found.length === 0) rmSync(dir, { recursive: true, force: true });
  else say(`the data is kept in ${dir}; repeat with --seed ${seed}`);
  process.exit(found.length === 0 ? 0 : 1);
}

function check(): ReturnType<typeof checkRound> {
  return checkRound(application, allowedRepeats(stack.readSendings()));
}

function report(): void {
  const places = {
    places: stack.places.size,
    hit: stack.places
      .values()
      .filter((kills) => kills > 0)
      .toArray().length,
  };
  say(
    `FIGURES ${JSON.stringify({ seed, drops, 'stack killed': stack.kills, ...places, ...uploader.counts, ...stack.injected })}`,
  );
}

function pipelineOf(): PipelineName {
  const drawn = chance();
  return drawn < 0.6 ? 'rows' : drawn < 0.7 ? 'images' : draws.oneOf(SERVED);
}

async function keepUp(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await stack.ensureUp();
    await sleep(100);
  }
}

/** Runs it again, as a person does with a run that has failed. */
async function rerun(run: string): Promise<void> {
  const keys = JSON.parse(await readFile(path.join(stack.dataDir, 'credentials.json'), 'utf8'));
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: keys.endpoint,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_REGION: 'us-east-1',
  };
  await promisify(execFile)(process.execPath, ['src/cli/main.ts', 'rerun', run], { cwd: ROOT, env });
}

/**
 * Waits until nothing happens anymore: no execution runs, and no upload event waits. If everything left is waiting, the stack is killed
 * once more and its clock put forward; a working stack may go on, however slow the machine. Whatever runs after the limit is reported.
 */
async function quiet(): Promise<string[]> {
  const limitMs = Date.now() + QUIET_LIMIT_MS;
  let last = '';
  let still = 0;
  for (let calm = 0; calm < 4; await sleep(1000)) {
    await application.readInbox();
    const busy = await application.busy();
    if (Date.now() > limitMs) return busy;
    calm = busy.length > 0 ? 0 : calm + 1;
    const waits = (await application.working()).length === 0;
    still = waits && busy.join(' ') === last ? still + 1 : 0;
    last = busy.join(' ');
    if (busy.length === 0 || still < LOOKS_BEFORE_SKIP) continue;
    await stack.skip(SKIP_MS);
    still = 0;
  }
  return [];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
