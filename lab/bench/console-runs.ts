// `node lab/bench/console-runs.ts aws|laptop [PIPELINES] [RUNS]`: time from the request for the list of runs until the console's server has
// sent it, with nothing remembered: 10 pipelines of 100 ended runs each, with the answering times of AWS, or on the stack of this machine.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Application, connect } from '../../src/cli/application.ts';
import { openConsole } from '../../src/cli/console/open-console.ts';
import type { Console } from '../../src/cli/console/server.ts';
import { startLaptop } from '../../test/support/laptop.ts';
import { endedRuns } from './console-runs/ended-runs.ts';

const [place, ...counts] = process.argv.slice(2);
const [pipelines = 10, runs = 100] = counts.map(Number);
/** Consoles that are opened one after another: each remembers nothing. */
const TRIALS = 5;
const LIMIT_MS = 200;

interface Look {
  /** Until the first event: every row with its name and end, those in sight with their figures. */
  readonly firstMs: number;
  /** Until each row has its figures. */
  readonly wholeMs: number;
  readonly rows: number;
}

async function look(pages: Console): Promise<Look> {
  const authorization = `Bearer ${pages.address.split('#token=')[1]}`;
  const began = performance.now();
  const gone = new AbortController();
  const { body } = await fetch(`${pages.origin}/live/runs`, {
    headers: { authorization },
    signal: gone.signal,
  });
  let text = '';
  let firstMs: number | undefined;
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (!text.includes('\n\n')) continue;
    firstMs ??= performance.now() - began;
    const [event = '', rest = ''] = text.split('\n\n', 2);
    if (event.startsWith('event: lost')) throw new Error(event);
    const seen: { runs: { verdict: string }[] } = JSON.parse(event.slice(event.indexOf('data: ') + 6));
    if (seen.runs.every(({ verdict }) => verdict !== 'unread')) {
      const wholeMs = performance.now() - began;
      gone.abort();
      return { firstMs, wholeMs, rows: seen.runs.length };
    }
    text = rest;
  }
  throw new Error('the list of runs ended');
}

async function measure(place: string, application: Application): Promise<void> {
  const looks: Look[] = [];
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const pages = await openConsole(application, 'dev', 0);
    looks.push(await look(pages));
    await pages.close();
  }
  const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[TRIALS >> 1] ?? 0;
  const firstMs = middle(looks.map((one) => one.firstMs));
  const wholeMs = middle(looks.map((one) => one.wholeMs));
  process.stdout.write(
    `${place}: ${looks[0]?.rows} runs listed in ${firstMs.toFixed(0)} ms (${looks.map((one) => one.firstMs.toFixed(0)).join(', ')}), all figures after ${wholeMs.toFixed(0)} ms\n`,
  );
  if (firstMs > LIMIT_MS) process.exitCode = 1;
}

/** The stack of this machine with the runs in its index. */
async function onLaptop(): Promise<void> {
  const laptop = await startLaptop();
  try {
    for (const [key, text] of endedRuns(pipelines, runs)) await laptop.application.store.write(key, text);
    await measure('on this machine', laptop.application);
  } finally {
    await laptop.close();
  }
}

async function inAws(): Promise<void> {
  const aws = fork(path.join(import.meta.dirname, 'console-runs', 'slow-aws.ts'), [
    String(pipelines),
    String(runs),
  ]);
  try {
    const [port] = await once(aws, 'message');
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'bench',
    });
    await measure("with AWS's answering times", await connect('dev'));
  } finally {
    aws.kill();
  }
}

await (place === 'aws' ? inAws() : onLaptop());
