import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { servedJson } from '../../src/app/records/endpoint.ts';
import { environmentCredentials } from '../../src/aws/runtime/environment.ts';
import { runtime } from '../../src/aws/sagemaker/runtime.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import type { Served } from '../../src/endpoint/served.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { disagreement } from '../../src/tasks/agreement.ts';
import { askApi } from '../support/ask-api.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist');
const PIPELINE = 'garments';

let laptop: Laptop;
let images: Record<string, Uint8Array>;
onSharedLaptop(async (shared) => {
  laptop = shared;
  // npm run lab -- realtime compares all 1,000.
  images = await laptop.images(Number(process.env.INFERDROP_IMAGES ?? 20));
});

const served = () => servedJson(PIPELINE).read(laptop.application.store);
const inService = (isWanted: (found: Served) => boolean = () => true) =>
  laptop.until(async () => {
    const found = await served();
    return found?.status === 'in-service' && Object.keys(found.variants).length === 1 && isWanted(found)
      ? found
      : undefined;
  });
const give = (change: (config: any) => void = () => undefined) =>
  laptop.givePipeline(PIPELINE, (config) => {
    config.gate = { minAccuracy: 0.5, minInputs: 1, confidence: null };
    config.endpoint = { deploy: 'when-gate-passes', ttlHours: 8 };
    change(config);
  });
const post = async (body: Uint8Array, type = 'image/png', query = '') =>
  askApi({
    method: 'POST',
    url: new URL(`${laptop.application.apiUrl}/predict/${PIPELINE}${query}`),
    headers: { 'content-type': type },
    body,
  });
const get = async (place: string) =>
  askApi({ method: 'GET', url: new URL(`${laptop.application.apiUrl}${place}`) });
const anImage = () => Object.values(images)[0]!;

describe('before anything is deployed', () => {
  it('predict says what to do', async () => {
    const response = await post(anImage());
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      type: 'urn:inferdrop:problem:no-endpoint',
      status: 404,
      detail: expect.stringContaining('inferdrop endpoints deploy garments'),
    });
  });

  it('a request without a signature is refused', async () => {
    for (const place of ['/pipelines', '/runs?pipeline=x', '/runs/a/b/000001', '/openapi.json']) {
      const response = await fetch(laptop.application.apiUrl + place);
      expect([401, 403]).toContain(response.status);
    }
    const response = await fetch(`${laptop.application.apiUrl}/predict/garments`, {
      method: 'POST',
      body: 'x',
    });
    expect([401, 403]).toContain(response.status);
  });
});

describe('a run of inputs that job.json names', () => {
  it('says that it cannot be served, and how the model can be, as the next test does', async () => {
    await give();
    const { bucket, store } = laptop.application;
    for (const [name, body] of Object.entries(images)) await store.write(`shared/garments/${name}`, body);
    const input = { s3Prefix: `s3://${bucket}/shared/garments/` };
    await laptop.upload(PIPELINE, 'named', { 'job.json': JSON.stringify({ input }) });
    const { report } = await laptop.outcome('garments/named/000001');
    expect(report.gate.verdict).toBe('passed');
    expect(report.notes.join()).toContain('this run cannot be served: its job.json sets input');
    const said =
      'To serve the model, copy the inputs to incoming/garments/DROP/, leave input out of job.json, and deploy the run of that drop';
    const deploy = ['endpoints', 'deploy', PIPELINE];
    await expect(runCommandLine(deploy, silentTerminal())).rejects.toThrow(said);
    const named = silentTerminal();
    expect(await runCommandLine([...deploy, '--run', 'garments/named/000001'], named)).toBe(1);
    expect(named.lines.join('\n')).toContain(said);
  });
});

describe('a run whose gate passes', () => {
  it('becomes an endpoint that answers as batch transform did', async () => {
    await give();
    await laptop.upload(PIPELINE, 'monday', images);
    const { success } = await laptop.await('garments/monday/000001');
    expect(success).toBe(true);
    const found = await inService();
    const { store } = laptop.application;
    const live = runtime({
      base: new URL(laptop.stack.endpoint),
      region: laptop.stack.site.region,
      credentials: () => environmentCredentials(process.env),
    });
    for (const [name, body] of Object.entries(images)) {
      const batch = await store.readBytes(
        `${bucketLayout.predictions(toRun('garments/monday/000001'))}${name}.out`,
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
  });

  it('answers labeled predictions over HTTP', async () => {
    const found = (await served())!;
    const response = await post(anImage());
    expect(response.status).toBe(200);
    const answer: any = await response.json();
    expect(answer).toMatchObject({
      pipeline: PIPELINE,
      run: 'garments/monday/000001',
      model: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      variant: found.live,
      predictions: [{ input: null, label: expect.any(String), score: expect.any(Number) }],
    });
    expect(answer.predictions[0].topK).toHaveLength(3);
    expect(answer.predictions[0].topK[0].label).toBe(answer.predictions[0].label);
  });

  it('takes several images at once, names them, and says of each what it says of it alone', async () => {
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
    const alone = [];
    for (const name of names) {
      const { predictions }: any = await (await post(images[name]!)).json();
      alone.push({ ...predictions[0], input: name });
    }
    expect(answer.predictions).toEqual(alone);
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
    const { pipelines }: any = await (await get('/pipelines')).json();
    expect(pipelines.filter(({ pipeline }: any) => pipeline === PIPELINE)).toMatchObject([
      { endpoint: { status: 'in-service', run: 'garments/monday/000001' } },
    ]);
    expect(await (await get('/runs?pipeline=garments')).json()).toMatchObject({
      runs: [
        { run: 'garments/monday/000001', gate: 'passed' },
        { run: 'garments/named/000001', gate: 'passed' },
      ],
    });
    const run: any = await (await get('/runs/garments/monday/000001')).json();
    expect(run).toMatchObject({ status: 'completed', total: Object.keys(images).length });
    const report = await fetch(run.links['report.html']);
    expect(await report.text()).toContain('<html');
    expect((await get('/runs/garments/tuesday/000001')).status).toBe(404);
    expect(await (await get('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  });

  it('is shown and asked by the command line', async () => {
    const terminal = silentTerminal();
    const lines: string[] = [];
    const printing = { ...terminal, print: (text: string) => void lines.push(text) };
    expect(await runCommandLine(['endpoints', '--json'], printing)).toBe(0);
    const shown = JSON.parse(lines[0]!).filter(({ pipeline }: any) => pipeline === PIPELINE);
    expect(shown).toMatchObject([{ status: 'InService' }]);
    const [name = ''] = Object.keys(images);
    const file = path.join(EXAMPLE, 'images', name);
    await runCommandLine(['predict', file, '--pipeline', PIPELINE, '--json'], printing);
    expect(JSON.parse(lines[1]!).predictions).toHaveLength(1);
  });
});

describe('a user of the command line', () => {
  it('changes nothing where nothing changed', async () => {
    const before = (await served())!;
    const deploy = ['endpoints', 'deploy', PIPELINE, '--run', 'garments/monday/000001'];
    expect(await runCommandLine(deploy, silentTerminal())).toBe(0);
    const after = (await served())!;
    expect(after.live).toBe(before.live);
    expect(Date.parse(after.expiresAt!)).toBeGreaterThan(Date.parse(before.expiresAt!));
  });

  it('reads what the containers wrote', async () => {
    const terminal = silentTerminal();
    expect(await runCommandLine(['endpoints', 'logs', PIPELINE], terminal)).toBe(0);
    expect(terminal.lines.join('\n')).toContain((await served())!.endpointName);
    expect(terminal.lines.every((line) => line.startsWith('20'))).toBe(true);
  });

  it('cannot delete a pipeline that is served', async () => {
    await expect(runCommandLine(['pipeline', 'delete', PIPELINE, '--yes'], silentTerminal())).rejects.toThrow(
      /is not deleted: an endpoint serves it\. End it first: inferdrop endpoints delete/,
    );
  });

  it('deletes it, with all that it was made of', async () => {
    const { endpoints } = laptop.application;
    const { endpointName } = (await served())!;
    const terminal = silentTerminal();
    expect(await runCommandLine(['endpoints', 'delete', PIPELINE, '--json'], terminal)).toBe(0);
    expect(JSON.parse(terminal.lines.at(-1)!)).toMatchObject({ pipeline: PIPELINE, outcome: 'deleted' });
    expect(await served()).toBeUndefined();
    expect(await endpoints.describe(endpointName)).toBeUndefined();
    const left: string[] = [];
    for await (const name of endpoints.configNames('inferdrop-dev-garments-')) left.push(name);
    for await (const name of endpoints.modelNames('inferdrop-dev-garments-')) left.push(name);
    expect(left).toEqual([]);
    expect((await post(anImage())).status).toBe(404);
  });

  it('hears where there is nothing to delete, and no such run to deploy', async () => {
    const asked = (...args: string[]) => runCommandLine(['endpoints', ...args], silentTerminal());
    await expect(asked('delete', PIPELINE)).rejects.toThrow(
      'nothing serves garments, so nothing is deleted: inferdrop endpoints shows what is served',
    );
    const run = 'garments/nowhere/000001';
    await expect(asked('deploy', PIPELINE, '--run', run)).rejects.toThrow(
      'garments/nowhere/000001 has no report: it still runs, does not exist, or S3 has removed its files',
    );
  });
});
