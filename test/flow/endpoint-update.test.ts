import { afterAll, beforeAll, expect, it } from 'vitest';
import { listEndpoints } from '../../src/cli/commands/endpoints.ts';
import { toCandidateName } from '../../src/endpoint/names.ts';
import type { EndpointLaptop } from '../support/endpoint-laptop.ts';
import { PIPELINE, RUN, startEndpointLaptop, writeWrongModel } from '../support/endpoint-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

let laptop: EndpointLaptop;
/** Runs while a candidate waits for the answer to its first test request. */
let whileTested: (() => Promise<void>) | undefined;
beforeAll(async () => {
  laptop = await startEndpointLaptop({
    invocation: async (endpointName) => {
      const act = endpointName === candidateName() ? whileTested : undefined;
      whileTested = endpointName === candidateName() ? undefined : whileTested;
      await act?.();
    },
  });
  await laptop.change({ run: RUN });
}, 600_000);
afterAll(() => laptop.close());

const candidateName = (): string => {
  const { endpointPrefix, bucket } = laptop.application;
  return toCandidateName({ prefix: endpointPrefix, bucket }, PIPELINE);
};
const isGone = (name: string) =>
  laptop.until(async () =>
    (await laptop.application.endpoints.describe(name)) === undefined ? true : undefined,
  );

/** Two callers that ask one request after another until they are stopped. */
function constantRequests() {
  const answers: { status: number; variant: string }[] = [];
  let isOver = false;
  const call = async (): Promise<void> => {
    while (!isOver) {
      const response = await laptop.predict();
      const { variant }: any = await response.json();
      answers.push({ status: response.status, variant });
    }
  };
  const callers = [call(), call()];
  return {
    answers,
    more: (count: number) => {
      const wanted = answers.length + count;
      return laptop.until(() => (answers.length >= wanted ? true : undefined));
    },
    async stop() {
      isOver = true;
      await Promise.all(callers);
      return {
        statuses: [...new Set(answers.map(({ status }) => status))],
        variants: [...new Set(answers.map(({ variant }) => variant))],
      };
    },
  };
}

it('a better model is tested beside the one that serves, then takes over without a failed request', async () => {
  const before = (await laptop.served())!;
  const run = await laptop.release('tuesday');
  const requests = constantRequests();
  const lines: string[] = [];
  whileTested = async () => {
    await requests.more(10);
    expect(await laptop.served()).toEqual(before);
    const terminal = { ...silentTerminal(), print: (text: string) => void lines.push(text) };
    await listEndpoints({ stage: 'dev', json: true })(terminal);
  };
  expect(await laptop.change({ run })).toMatchObject({ status: 'SUCCEEDED' });
  const after = (await laptop.served())!;
  await laptop.until(() => requests.answers.some(({ variant }) => variant === after.live) || undefined);
  expect(await requests.stop()).toEqual({ statuses: [200], variants: [before.live, after.live] });
  expect(after.variants[after.live!]!.run).toBe(run);
  expect(JSON.parse(lines[0]!)).toMatchObject([
    { status: 'InService', candidate: { endpoint: candidateName(), status: 'InService' } },
  ]);
  await isGone(candidateName());
}, 600_000);

it('a model that answers wrongly never answers anybody, and the reason is told', async () => {
  const before = (await laptop.served())!;
  const sha256 = await writeWrongModel(laptop);
  const run = await laptop.planLike('wednesday', (plan) => void (plan.model.sha256 = sha256));
  const requests = constantRequests();
  whileTested = () => requests.more(10).then(() => undefined);
  const ended = await laptop.change({ run });
  expect(ended).toMatchObject({ status: 'FAILED', error: 'SmokeTestFailed' });
  expect(ended.cause).toContain('differ from batch');
  await requests.more(10);
  expect(await requests.stop()).toEqual({ statuses: [200], variants: [before.live] });
  expect(await laptop.served()).toEqual(before);
  await isGone(candidateName());
  const told = await laptop.until(async () =>
    (await laptop.messages()).find((message) => message.includes('was rolled back')),
  );
  expect(told).toContain(run);
  expect(told).toContain('differ from batch');
}, 600_000);

it('a deployment that is stopped while its candidate is tested is told at once, and leaves nothing', async () => {
  const before = (await laptop.served())!;
  const run = await laptop.release('thursday');
  const { endpointChanges, endpoints } = laptop.application;
  const stopped = Promise.withResolvers<void>();
  let arn = '';
  whileTested = async () => {
    await endpointChanges.stop(arn, { error: 'Cancelled', cause: 'by ann' });
    stopped.resolve();
  };
  arn = await laptop.start({ run });
  await stopped.promise;
  const told = await laptop.until(async () =>
    (await laptop.messages()).find((message) => message.includes('Cancelled')),
  );
  expect(told).toContain(run);
  expect(told).toContain('was stopped');
  await isGone(candidateName());
  expect(await laptop.served()).toEqual(before);
  const configs: string[] = [];
  for await (const name of endpoints.configNames('inferdrop-dev-clothes-')) configs.push(name);
  expect(configs).toEqual([before.variants[before.live!]!.configName]);
  expect((await laptop.predict()).status).toBe(200);
}, 600_000);
