import { expect, test } from 'vitest';
import { stackWhenUp } from '../../../src/cli/stack-when-up.ts';

type Described = Awaited<ReturnType<Parameters<typeof stackWhenUp>[0]['describe']>>;

const stack = (status: string, ...outputs: string[]): Described => ({
  status,
  outputs: new Map(outputs.map((name) => [name, 'x'])),
  parameters: new Map(),
});
const UP = stack('UPDATE_COMPLETE', 'BucketName', 'ApiUrl');
const PACKAGED = stack('CREATE_COMPLETE', 'ServerlessDeploymentBucketName');

/** Looks at one state after another, the last one again and again. */
async function look(states: readonly Described[], names: readonly string[] | undefined) {
  let at = 0;
  let told = 0;
  let waits = 0;
  const found = await stackWhenUp({
    describe: () => Promise.resolve(states[Math.min(at++, states.length - 1)]),
    names: names && (() => Promise.resolve(names)),
    tell: () => void told++,
    wait: () => Promise.resolve(void waits++),
  });
  return { found, told, waits };
}

test('a stack on this machine that is packaged, then deployed in two steps, is waited for and named once', async () => {
  const states = [undefined, stack('CREATE_IN_PROGRESS'), PACKAGED, stack('UPDATE_IN_PROGRESS'), UP];
  expect(await look(states, [])).toEqual({ found: UP, told: 1, waits: 4 });
});

test('the first deployment in AWS is waited for', async () => {
  expect(await look([stack('CREATE_IN_PROGRESS'), UP], undefined)).toMatchObject({ found: UP, waits: 1 });
});

test.each<[string, Described, readonly string[] | undefined]>([
  ['a stack that is up', UP, ['inferdrop-dev']],
  ['an update of one that was up', stack('UPDATE_IN_PROGRESS', 'BucketName'), ['inferdrop-dev']],
  ['no stack in AWS', undefined, undefined],
  ['no stack of this stage on this machine', undefined, ['inferdrop-dev']],
  ['a deployment in AWS that stopped half-way', PACKAGED, undefined],
  ['one that was rolled back', stack('ROLLBACK_COMPLETE'), ['inferdrop-dev']],
  ['one that is being deleted', stack('DELETE_IN_PROGRESS'), ['inferdrop-dev']],
])('%s is not waited for', async (_, state, names) => {
  expect(await look([state], names)).toEqual({ found: state, told: 0, waits: 0 });
});

test('a stack that never comes up is given up after three minutes', async () => {
  expect(await look([PACKAGED], ['inferdrop-dev'])).toEqual({ found: PACKAGED, told: 1, waits: 180 });
});
