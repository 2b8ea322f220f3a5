import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import type * as z from 'zod';
import type { StackOptions } from '@inferdrop/laptop';
import { type EndpointRequest, startEndpointChange } from '../../src/app/endpoint/start-endpoint-change.ts';
import { sweepEndpoints } from '../../src/app/endpoint/sweep-endpoints.ts';
import { servedJson } from '../../src/app/records/endpoint.ts';
import { invocationMetrics } from '../../src/aws/account/invocation-metrics.ts';
import { topic } from '../../src/aws/messages/topic.ts';
import type { ExecutionDescription } from '../../src/aws/states/executions.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import type { Served } from '../../src/endpoint/served.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { toRunId } from '../../src/run/run-id.ts';
import { askApi } from './ask-api.ts';
import { type Laptop, startLaptop } from './laptop.ts';
import { silentTerminal } from './silent-terminal.ts';

const ARCHIVE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist', 'model.tar.gz');
export const PIPELINE = 'clothes';
/** The one run that batch transform has made. */
export const RUN = `${PIPELINE}/monday/000001`;

/** A laptop with one run that has passed its gate, whose model can be deployed in many ways without another batch. */
export interface EndpointLaptop extends Laptop {
  /** A run like the one there is, as if it had been planned otherwise; its inputs and outputs are the same objects. */
  planLike(drop: string, change: (plan: any) => void): Promise<string>;
  /** A release of the same model: it differs by a variable that the model does not read. */
  release(drop: string): Promise<string>;
  /** Starts a change of the pipeline's endpoint; the ARN of its execution. */
  start(request: Partial<EndpointRequest>): Promise<string>;
  /** Waits for the end of an execution. */
  ended(arn: string): Promise<ExecutionDescription>;
  change(request: Partial<EndpointRequest>): Promise<ExecutionDescription>;
  served(): Promise<Served | undefined>;
  /** One image to the prediction API. */
  predict(): Promise<Response>;
  /** The check for stray endpoints, as if it were this time. */
  sweepAt(time: number): Promise<z.infer<typeof sweepEndpoints.output>>;
  /** Messages that people got so far, the newest last. */
  messages(): Promise<readonly string[]>;
}

/** Brings the stack up and lets batch transform predict 20 images. */
export async function startEndpointLaptop({
  faults,
  machine,
  configure = () => undefined,
}: {
  faults?: StackOptions['faults'];
  machine?: Parameters<typeof startLaptop>[2];
  configure?: (config: any) => void;
} = {}): Promise<EndpointLaptop> {
  const laptop = await startLaptop(faults, silentTerminal(), machine);
  const { store, endpoints, endpointChanges, endpointPrefix, apiUrl } = laptop.application;
  const { outputs } = laptop.stack.find('inferdrop-dev');
  const topicArn = outputs.find(({ key }) => key === 'TopicArn')!.value;
  await laptop.givePipeline(PIPELINE, (config) => {
    config.gate = { minAccuracy: 0.5 };
    configure(config);
  });
  const images = await laptop.images(20);
  await laptop.upload(PIPELINE, 'monday', images);
  await laptop.await(RUN);
  let started = 0;
  const own: Omit<EndpointLaptop, keyof Laptop> = {
    async planLike(drop, change) {
      const [from, to] = [toRun(RUN), { ...toRun(RUN), drop }];
      const plan = JSON.parse((await store.readText(bucketLayout.plan(from)))!);
      change(plan);
      await store.write(bucketLayout.plan(to), JSON.stringify({ ...plan, run: toRunId(to) }));
      for (const file of [bucketLayout.reportJson, bucketLayout.reconciled])
        await store.write(file(to), (await store.readText(file(from)))!);
      return toRunId(to);
    },
    release: (drop) => own.planLike(drop, (plan) => void (plan.model.environment = { RELEASE: drop })),
    async start(request) {
      started += 1;
      const all = { action: 'deploy', pipeline: PIPELINE, ...request } as const;
      return (await startEndpointChange(endpointChanges, all, `test ${started}`)).arn;
    },
    ended: (arn) =>
      laptop.until(async () => {
        const found = await endpointChanges.describe(arn);
        return found === undefined || found.status === 'RUNNING' ? undefined : found;
      }),
    change: async (request) => own.ended(await own.start(request)),
    served: () => servedJson(PIPELINE).read(store),
    predict: () =>
      askApi({
        method: 'POST',
        url: new URL(`${apiUrl}/predict/${PIPELINE}`),
        headers: { 'content-type': 'image/png' },
        body: Object.values(images)[0]!,
      }),
    sweepAt: (time) =>
      sweepEndpoints(
        { check: 'endpoints' },
        {
          store,
          endpoints,
          topic: topic({ arn: topicArn }),
          metrics: invocationMetrics(),
          executions: endpointChanges,
          clock: () => new Date(time),
          scope: { prefix: endpointPrefix },
          warn: (message, facts) => {
            throw new Error(`${message} ${JSON.stringify(facts)} ${String(facts.error)}`);
          },
        },
      ),
    async messages() {
      const folder = path.join(laptop.dataDir, 'outbox');
      const files = (await readdir(folder)).sort();
      return Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
    },
  };
  return { ...laptop, ...own };
}

/** The example's archive with a handler that finds the same class in every image, after some right answers; its digest. */
export async function writeWrongModel({ application }: Laptop, rightAnswers = 0): Promise<string> {
  const wrong =
    'return json.dumps({"predictions": [{"classes": 3, "probabilities": [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]}]}).encode(), ' +
    'context.accept_header';
  const wrongAfter = `ANSWERED.append(1)\n    if len(ANSWERED) > ${rightAnswers}:\n        ${wrong}\n    `;
  const tar = pack();
  const entries = extract();
  createReadStream(ARCHIVE).pipe(createGunzip()).pipe(entries);
  for await (const entry of entries) {
    const { name } = entry.header;
    const bytes = await buffer(entry);
    tar.entry(
      { name },
      name.endsWith('.py')
        ? `ANSWERED = []\n${String(bytes).replace(/(?=return response\.content)/, wrongAfter)}`
        : bytes,
    );
  }
  tar.finalize();
  const archive = gzipSync(await buffer(tar));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  await application.store.write(bucketLayout.model(sha256), archive);
  return sha256;
}
