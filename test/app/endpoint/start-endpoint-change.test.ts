import { expect, test } from 'vitest';
import {
  type EndpointRequest,
  startEndpointChange,
} from '../../../src/app/endpoint/start-endpoint-change.ts';

const REQUEST: EndpointRequest = { action: 'deploy', pipeline: 'shapes', run: 'shapes/monday/000001' };

/** The execution that a request starts. */
async function started(request: Partial<EndpointRequest> = {}, key = 'k') {
  const starts: { name: string; input: unknown }[] = [];
  const start = async (name: string, input: string) => {
    starts.push({ name, input: JSON.parse(input) });
    return { outcome: 'started' as const, arn: `arn:${name}` };
  };
  const { arn } = await startEndpointChange({ start }, { ...REQUEST, ...request }, key);
  const [only] = starts;
  expect(arn).toBe(`arn:${only!.name}`);
  return only!;
}

test('an execution is named for what it does, and its input has every field', async () => {
  expect(await started()).toEqual({
    name: expect.stringMatching(/^deploy-shapes-[0-9a-f]{16}$/),
    input: {
      schema: 1,
      action: 'deploy',
      pipeline: 'shapes',
      run: 'shapes/monday/000001',
      reason: null,
      accelerator: null,
      deployedAt: null,
    },
  });
  const facts = { accelerator: 'cpu', reason: 'why', deployedAt: '2026-03-01T12:00:00.000Z' } as const;
  expect((await started(facts)).input).toMatchObject(facts);
  const { name } = await started({ pipeline: 'a'.repeat(64) });
  // Step Functions takes 80 characters.
  expect(name.length).toBeLessThanOrEqual(80);
});

test.each<[Partial<EndpointRequest>, string]>([
  [{ action: 'restore' }, 'k'],
  [{ pipeline: 'other' }, 'k'],
  [{ run: 'shapes/monday/000002' }, 'k'],
  [{ accelerator: 'cpu' }, 'k'],
  [{}, 'another key'],
])('%j with the key %j is another execution', async (request, key) => {
  expect((await started(request, key)).name).not.toBe((await started()).name);
});

test('the same request is the same execution, also for another reason', async () => {
  const deployedAt = '2026-03-01T12:00:00.000Z';
  expect((await started({ reason: 'again', deployedAt })).name).toBe((await started()).name);
});
