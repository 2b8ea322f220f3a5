// The callers of lab/bench/predict.ts.
import { Agent, request } from 'node:http';
import { InvokeEndpointCommand, SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { environmentCredentials } from '../../src/aws/runtime/environment.ts';
import { processorMs } from './process-time.ts';

/** Task of the callers, as JSON. */
export interface CallersTask {
  readonly endpoint: string;
  readonly endpointName: string;
  readonly apiUrl: string;
  readonly region: string;
  /** Base64. */
  readonly image: string;
}

type Call = () => Promise<void>;

/** Results of one side of the comparison in all its turns. */
interface Side {
  readonly timesMs: number[];
  /** Until the last call of each turn had its answer. */
  elapsedMs: number;
  processorMs: number;
}

/** Median of what the API adds at one caller, and its throughput as a part of the direct one. */
const MAX_ADDED_MS = 5;
const LEAST_SHARE = 0.6;
/** Turns, so that what else the machine does meanwhile falls on both sides; long beside the last calls, when few run. */
const TURN_MS = 4_000;
const TURNS = 4;

const task: CallersTask = JSON.parse(process.argv[2] ?? '');
const image = Buffer.from(task.image, 'base64');
const url = new URL(task.apiUrl);
const agent = new Agent({ keepAlive: true });
const { accessKeyId, secretAccessKey } = environmentCredentials(process.env);
const credentials = { accessKeyId, secretAccessKey };
const { endpoint, region } = task;
const sdk = new SageMakerRuntimeClient({ endpoint, region, credentials, maxAttempts: 1 });
const signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });

const coldMs = await timeOf(callApi);
console.log(`cold start of the API: ${coldMs.toFixed(0)} ms to the first answer`);
let failures = 0;
for (const callers of [1, 8, 32]) {
  await Promise.all([callDirect, callApi].map((call) => run(call, callers, 500)));
  const direct: Side = { timesMs: [], elapsedMs: 0, processorMs: 0 };
  const api: Side = { timesMs: [], elapsedMs: 0, processorMs: 0 };
  const sides = [
    [callDirect, direct],
    [callApi, api],
  ] as const;
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [call, side] of sides) {
      const before = processorMs(process.ppid);
      const began = performance.now();
      side.timesMs.push(...(await run(call, callers, TURN_MS)));
      side.elapsedMs += performance.now() - began;
      side.processorMs += processorMs(process.ppid) - before;
    }
  }
  const [a, b] = [summary(direct), summary(api)];
  const share = b.perSecond / a.perSecond;
  const added = b.medianMs - a.medianMs;
  console.log(
    `${String(callers).padStart(2)} callers: direct ${show(a)}; API ${show(b)}; ` +
      `added ${added.toFixed(1)} ms, throughput ${percent(share)}; processor time a request ` +
      `${a.processorMs.toFixed(1)} and ${b.processorMs.toFixed(1)} ms, ${percent(a.processorMs / b.processorMs)}`,
  );
  if (share < LEAST_SHARE || (callers === 1 && added > MAX_ADDED_MS)) failures += 1;
}
agent.destroy();
process.exitCode = failures > 0 ? 1 : 0;

/** Lets `callers` callers send one request after the other for a while; gives the time of each request in ms. */
async function run(call: Call, callers: number, durationMs: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + durationMs;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) times.push(await timeOf(call));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return times;
}

interface Summary {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly perSecond: number;
  /** Processor time of stack, functions, containers and callers together, a request. */
  readonly processorMs: number;
}

function summary({ timesMs, elapsedMs, processorMs: spentMs }: Side): Summary {
  const sorted = timesMs.toSorted((x, y) => x - y);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return {
    medianMs: at(0.5),
    p95Ms: at(0.95),
    perSecond: (1000 * timesMs.length) / elapsedMs,
    processorMs: spentMs / timesMs.length,
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function show({ medianMs, p95Ms, perSecond }: Summary): string {
  return `${medianMs.toFixed(1)} ms (p95 ${p95Ms.toFixed(1)}), ${perSecond.toFixed(0)}/s`;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Calls an endpoint as the SDK's users do. */
async function callDirect(): Promise<void> {
  await sdk.send(
    new InvokeEndpointCommand({
      EndpointName: task.endpointName,
      ContentType: 'application/x-image',
      Accept: 'application/json',
      Body: image,
    }),
  );
}

/** Calls the API as its users do: with the SDK's signer. */
async function callApi(): Promise<void> {
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, 'content-type': 'application/x-image' },
    body: image,
  });
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        if (response.statusCode === 200) return resolve();
        reject(new Error(`the API answered ${response.statusCode}: ${Buffer.concat(chunks).toString()}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(image);
  });
}
