import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServed } from '../../src/app/endpoint/endpoint-change.ts';
import { startEndpointChange } from '../../src/app/endpoint/start-endpoint-change.ts';
import { sweepEndpoints } from '../../src/app/endpoint/sweep-endpoints.ts';
import { callApi } from '../../src/aws/call-api.ts';
import { invocationMetrics } from '../../src/aws/invocation-metrics.ts';
import { runtime } from '../../src/aws/runtime.ts';
import { deployEndpoint, listEndpoints } from '../../src/cli/commands/endpoints.ts';
import { predict } from '../../src/cli/commands/predict.ts';
import type { Served } from '../../src/endpoint/served.ts';
import { bucketLayout } from '../../src/drop/bucket-layout.ts';
import { disagreement } from '../../src/endpoint/agreement.ts';
import { toRun } from '../../src/cli/run-result.ts';
import type { Laptop } from '../support/laptop.ts';
import { startLaptop } from '../support/laptop.ts';
import { memoryTopic } from '../support/memory-topic.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist');
const PIPELINE = 'clothes';

let laptop: Laptop;
let images: Record<string, Uint8Array>;
beforeAll(async () => {
  laptop = await startLaptop();
  // npm run test:realtime compares all 1,000.
  images = await laptop.images(Number(process.env.INFERDROP_IMAGES ?? 60));
}, 600_000);
afterAll(() => laptop.close());

const served = () => readServed(laptop.application.store, PIPELINE);
const inService = (isWanted: (found: Served) => boolean = () => true) =>
  laptop.until(async () => {
    const found = await served();
    return found?.status === 'in-service' && Object.keys(found.variants).length === 1 && isWanted(found)
      ? found
      : undefined;
  });
const give = (change: (config: any) => void) =>
  laptop.givePipeline(PIPELINE, (config) => {
    config.gate = { minAccuracy: 0.5 };
    config.endpoint = { deploy: 'when-gate-passes', ttlHours: 8 };
    change(config);
  });
const post = async (body: Uint8Array, type = 'image/png', query = '') =>
  callApi({
    method: 'POST',
    url: new URL(`${laptop.application.apiUrl}/predict/${PIPELINE}${query}`),
    headers: { 'content-type': type },
    body,
  });
const get = async (place: string) =>
  callApi({ method: 'GET', url: new URL(`${laptop.application.apiUrl}${place}`) });
const anImage = () => Object.values(images)[0]!;

describe('before anything is deployed', () => {
  it('predict says what to do', async () => {
    const response = await post(anImage());
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      type: 'urn:inferdrop:problem:no-endpoint',
      status: 404,
      detail: expect.stringContaining('inferdrop endpoints deploy clothes'),
    });
  });

  it('nobody gets in without a signature', async () => {
    for (const place of ['/pipelines', '/runs?pipeline=x', '/runs/a/b/000001', '/openapi.json']) {
      const response = await fetch(laptop.application.apiUrl + place);
      expect([401, 403]).toContain(response.status);
    }
    const response = await fetch(`${laptop.application.apiUrl}/predict/clothes`, {
      method: 'POST',
      body: 'x',
    });
    expect([401, 403]).toContain(response.status);
  });
});

describe('a run whose gate passes', () => {
  it('becomes an endpoint that answers as batch transform did', async () => {
    await give((config) => {
      // A thousand uploads one after the other may pause for longer than a second.
      if (Object.keys(images).length > 100) config.drop = { quietSeconds: 15 };
    });
    await laptop.upload(PIPELINE, 'monday', images);
    const { success } = await laptop.await('clothes/monday/000001');
    expect(success).toBe(true);
    const found = await inService();
    const { store } = laptop.application;
    const live = runtime({
      base: new URL(laptop.stack.endpoint),
      region: laptop.stack.site.region,
      credentials: () => ({ accessKeyId: 'test', secretAccessKey: 'test' }),
    });
    for (const [name, body] of Object.entries(images)) {
      const batch = await store.readBytes(
        `${bucketLayout.predictions(toRun('clothes/monday/000001'))}${name}.out`,
      );
      const request = { contentType: 'application/x-image', accept: 'application/json', body };
      const answer = await live.invoke(found.endpointName, request);
      const [expected, actual] = [batch!, answer.body].map(
        (bytes) => JSON.parse(Buffer.from(bytes).toString()).predictions[0],
      );
      expect(actual.classes).toBe(expected.classes);
      const scores = (one: any) => ({ predicted: one.classes, score: undefined, scores: one.probabilities });
      expect(disagreement(scores(expected), scores(actual))).toBeUndefined();
    }
  }, 600_000);

  it('answers labelled predictions over HTTP', async () => {
    const found = (await served())!;
    const response = await post(anImage());
    expect(response.status).toBe(200);
    const answer: any = await response.json();
    expect(answer).toMatchObject({
      pipeline: PIPELINE,
      run: 'clothes/monday/000001',
      model: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      variant: found.live,
      predictions: [{ input: null, label: expect.any(String), score: expect.any(Number) }],
    });
    expect(answer.predictions[0].topK).toHaveLength(3);
    expect(answer.predictions[0].topK[0].label).toBe(answer.predictions[0].label);
  });

  it('takes several images at once, and names them', async () => {
    const form = new FormData();
    const names = Object.keys(images).slice(0, 3);
    for (const name of names)
      form.append('image', new Blob([Uint8Array.from(images[name]!)], { type: 'image/png' }), name);
    const encoded = new Response(form);
    const response = await post(
      new Uint8Array(await encoded.arrayBuffer()),
      encoded.headers.get('content-type')!,
    );
    const answer: any = await response.json();
    expect(answer.predictions.map(({ input }: { input: string }) => input)).toEqual(names);
  });

  it('gives the answer of the container itself with raw=1', async () => {
    const response = await post(anImage(), 'application/x-image', '?raw=1');
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toHaveProperty('predictions');
  });

  it('tells what the container refuses as 424, what is too large as 413, and what it does not take as 415', async () => {
    const refused = await post(Buffer.from('no image at all'));
    expect([refused.status, refused.headers.get('content-type')]).toEqual([424, 'application/problem+json']);
    expect((await post(new Uint8Array(4_500_001))).status).toBe(413);
    expect((await post(Buffer.from('<a/>'), 'text/xml')).status).toBe(415);
    expect((await post(new Uint8Array(0))).status).toBe(400);
  });

  it('lists pipelines and runs, with links that work for a while', async () => {
    expect(await (await get('/pipelines')).json()).toMatchObject({
      pipelines: [{ pipeline: PIPELINE, endpoint: { status: 'in-service', run: 'clothes/monday/000001' } }],
    });
    expect(await (await get('/runs?pipeline=clothes')).json()).toMatchObject({
      runs: [{ run: 'clothes/monday/000001', gate: 'passed' }],
    });
    const run: any = await (await get('/runs/clothes/monday/000001')).json();
    expect(run).toMatchObject({ status: 'completed', total: Object.keys(images).length });
    const report = await fetch(run.links['report.html']);
    expect(await report.text()).toContain('<html');
    expect((await get('/runs/clothes/tuesday/000001')).status).toBe(404);
    expect(await (await get('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  });

  it('is shown and asked by the command line', async () => {
    const terminal = silentTerminal();
    const lines: string[] = [];
    const printing = { ...terminal, print: (text: string) => void lines.push(text) };
    expect(await listEndpoints({ stage: 'dev', json: true })(printing)).toBe(0);
    expect(JSON.parse(lines[0]!)).toMatchObject([{ pipeline: PIPELINE, status: 'InService' }]);
    const [name = ''] = Object.keys(images);
    const file = path.join(EXAMPLE, 'images', name);
    await predict({ stage: 'dev', pipeline: PIPELINE, files: [file], raw: false, json: true })(printing);
    expect(JSON.parse(lines[1]!).predictions).toHaveLength(1);
  });
});

describe('the next model', () => {
  it('takes over under load without a failed request, and each answer has the classes of its own model', async () => {
    const before = (await served())!;
    const classes = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8')).labels.classes;
    await give((config) => {
      config.model.environment = { RELEASE: '2' };
      config.labels = { classes: classes.map((name: string) => `new ${name}`), truth: null };
      config.gate = { maxErrorRate: 0.1 };
    });
    await laptop.upload(PIPELINE, 'tuesday', await laptop.images(60));
    let loading = true;
    const statuses = new Set<number>();
    const mismatches: unknown[] = [];
    const variants = new Set<string>();
    const load = async (): Promise<void> => {
      while (loading) {
        const response = await post(anImage());
        statuses.add(response.status);
        const answer: any = await response.json();
        if (response.status !== 200) mismatches.push(answer);
        else {
          variants.add(answer.variant);
          const isNew = answer.predictions[0].label.startsWith('new ');
          if (isNew === (answer.variant === before.live)) mismatches.push(answer);
        }
      }
    };
    const callers = [load(), load()];
    const after = await inService((found) => found.live !== before.live);
    loading = false;
    await Promise.all(callers);
    expect(mismatches).toEqual([]);
    expect([...statuses]).toEqual([200]);
    expect(after.variants[after.live!]!.run).toBe('clothes/tuesday/000001');
    const answer: any = await (await post(anImage())).json();
    expect(answer.predictions[0].label).toMatch(/^new /);
    const configs: string[] = [];
    for await (const name of laptop.application.endpoints.configNames('inferdrop-dev-clothes-'))
      configs.push(name);
    expect(configs).toEqual([after.variants[after.live!]!.configName]);
  }, 600_000);

  it('is rolled back where its answers are not what the gate has judged', async () => {
    const before = (await served())!;
    await give((config) => {
      config.model.environment = { RELEASE: '3' };
      config.endpoint.deploy = 'never';
    });
    await laptop.upload(PIPELINE, 'wednesday', await laptop.images(5));
    await laptop.await('clothes/wednesday/000001');
    const { store, endpointChanges } = laptop.application;
    const prefix = bucketLayout.predictions(toRun('clothes/wednesday/000001'));
    for await (const { key } of store.list(prefix)) {
      const probabilities = Array.from({ length: 10 }, (_, at) => (at === 3 ? 1 : 0));
      await store.write(key, JSON.stringify({ predictions: [{ classes: 3, probabilities }] }));
    }
    const { arn } = await startEndpointChange(
      endpointChanges,
      { action: 'deploy', pipeline: PIPELINE, run: 'clothes/wednesday/000001' },
      'test',
    );
    const ended = await laptop.until(async () => {
      const found = await endpointChanges.describe(arn);
      return found?.status === 'RUNNING' ? undefined : found;
    });
    expect(ended).toMatchObject({ status: 'FAILED', error: 'SmokeTestFailed' });
    expect(ended.cause).toContain('differ from batch');
    expect(await served()).toEqual(before);
    const answer: any = await (await post(anImage())).json();
    expect(answer.variant).toBe(before.live);
  }, 600_000);

  it('changes nothing where nothing changed', async () => {
    const before = (await served())!;
    const options = { stage: 'dev', pipeline: PIPELINE, run: 'clothes/tuesday/000001', json: false };
    expect(await deployEndpoint(options)(silentTerminal())).toBe(0);
    const after = (await served())!;
    expect(after.live).toBe(before.live);
    expect(Date.parse(after.expiresAt!)).toBeGreaterThan(Date.parse(before.expiresAt!));
  }, 600_000);
});

describe('an endpoint whose time is up', () => {
  it('is announced, then deleted, with what it cost', async () => {
    const { store, endpoints, endpointChanges, endpointPrefix } = laptop.application;
    const topic = memoryTopic();
    const found = (await served())!;
    let at = Date.parse(found.expiresAt!) - 60_000;
    const sweep = () =>
      sweepEndpoints(
        { check: 'endpoints' },
        {
          store,
          endpoints,
          topic,
          metrics: invocationMetrics(),
          executions: endpointChanges,
          clock: () => new Date(at),
          scope: { prefix: endpointPrefix },
          warn: (message, facts) => {
            throw new Error(`${message} ${JSON.stringify(facts)} ${String(facts.error)}`);
          },
        },
      );
    expect(await sweep()).toMatchObject({ endpoints: 1, warned: 1, deleted: 0 });
    expect(topic.messages[0]!.body).toContain('will be deleted');
    at += 15 * 60_000;
    expect(await sweep()).toMatchObject({ warned: 0, deleted: 1 });
    await laptop.until(async () => ((await served()) === undefined ? true : undefined));
    expect(await endpoints.describe(found.endpointName)).toBeUndefined();
    expect((await post(anImage())).status).toBe(404);
  }, 600_000);
});
