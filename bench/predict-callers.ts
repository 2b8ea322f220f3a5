// The callers of bench/predict.ts.
import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

/** What the callers are told as JSON. */
export interface CallersTask {
  readonly directUrl: string;
  readonly apiUrl: string;
  readonly region: string;
  /** Base64. */
  readonly image: string;
}

interface Target {
  readonly name: string;
  readonly url: URL;
  readonly service: string;
}

/** Median of what the API adds at one caller, and its throughput as a part of the direct one. */
const MOST_ADDED_MS = 5;
const LEAST_SHARE = 0.6;
/** Long enough for a hundred answers of a busy laptop, and each side has several turns. */
const TURN_MS = 4_000;
const TURNS = 3;

const task: CallersTask = JSON.parse(process.argv[2] ?? '');
const image = Buffer.from(task.image, 'base64');
const imageHash = createHash('sha256').update(image).digest('hex');
const agent = new Agent({ keepAlive: true });
const direct: Target = { name: 'InvokeEndpoint', url: new URL(task.directUrl), service: 'sagemaker' };
const api: Target = { name: 'POST /predict', url: new URL(task.apiUrl), service: 'execute-api' };

const coldMs = await timeOf(() => call(api));
console.log(`cold start of the API: ${coldMs.toFixed(0)} ms to the first answer`);
let failures = 0;
for (const callers of [1, 8, 32]) {
  await Promise.all([direct, api].map((target) => run(target, callers, 500)));
  const times = new Map<Target, number[]>([
    [direct, []],
    [api, []],
  ]);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [target, all] of times) all.push(...(await run(target, callers, TURN_MS)));
  }
  const [a, b] = [summary(times.get(direct) ?? []), summary(times.get(api) ?? [])];
  const share = b.perSecond / a.perSecond;
  const added = b.medianMs - a.medianMs;
  console.log(
    `${String(callers).padStart(2)} callers: direct ${show(a)}; API ${show(b)}; ` +
      `added ${added.toFixed(1)} ms, throughput ${(100 * share).toFixed(0)} %`,
  );
  if (share < LEAST_SHARE || (callers === 1 && added > MOST_ADDED_MS)) failures += 1;
}
agent.destroy();
process.exitCode = failures > 0 ? 1 : 0;

/** Lets so many callers call, one request after the other, for a while; gives the time of each in ms. */
async function run(target: Target, callers: number, durationMs: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + durationMs;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) times.push(await timeOf(() => call(target)));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return times;
}

function summary(times: readonly number[]): { medianMs: number; p95Ms: number; perSecond: number } {
  const sorted = [...times].sort((x, y) => x - y);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { medianMs: at(0.5), p95Ms: at(0.95), perSecond: (1000 * times.length) / (TURNS * TURN_MS) };
}

function show({ medianMs, p95Ms, perSecond }: ReturnType<typeof summary>): string {
  return `${medianMs.toFixed(1)} ms (p95 ${p95Ms.toFixed(1)}), ${perSecond.toFixed(0)}/s`;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Signs and sends with as little as it takes, so that the client is not what is measured. */
function call({ name, url, service }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = sign(url, service);
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        if (response.statusCode === 200) return resolve();
        reject(new Error(`${name} answered ${response.statusCode}: ${Buffer.concat(chunks).toString()}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(image);
  });
}

function sign(url: URL, service: string): Record<string, string | number> {
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = [timestamp.slice(0, 8), task.region, service, 'aws4_request'];
  const names = 'content-type;host;x-amz-date';
  const canonical = [
    'POST',
    url.pathname,
    '',
    `content-type:application/x-image\nhost:${url.host}\nx-amz-date:${timestamp}\n`,
    names,
    imageHash,
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const key = scope.reduce(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    Buffer.from('AWS4test'),
  );
  const text = ['AWS4-HMAC-SHA256', timestamp, scope.join('/'), hash].join('\n');
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return {
    host: url.host,
    'content-type': 'application/x-image',
    'content-length': image.length,
    'x-amz-date': timestamp,
    authorization: `AWS4-HMAC-SHA256 Credential=test/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
