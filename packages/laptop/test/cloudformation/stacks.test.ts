import { beforeEach, expect, test } from 'vitest';
import { openStacks } from '../../cloudformation/stacks.ts';
import { systemClock } from '../../kernel/clock.ts';
import { localSite } from '../support/local-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dir: string;
beforeEach(async () => void (dir = temporaryFolder('stacks-')));

/** Stacks of things that are there or not, by name. */
function things() {
  const there = new Set<string>();
  const stacks = openStacks({
    dir,
    site: localSite,
    clock: systemClock,
    types: {
      'A::Thing': {
        apply: async ({ Name }) => {
          there.add(String(Name));
          return { ref: String(Name), attributes: {} };
        },
        remove: async (name) => void there.delete(name),
      },
    },
  });
  const deploy = (names: Readonly<Record<string, string>>) => {
    const entries = Object.entries(names).map(([id, Name]) => [
      id,
      { Type: 'A::Thing', Properties: { Name } },
    ]);
    const template = JSON.stringify({ Resources: Object.fromEntries(entries) });
    return stacks.deploy({ stackName: 's', template, parameters: {} });
  };
  return { there, deploy };
}

test('what the next template lacks is removed', async () => {
  const { there, deploy } = things();
  await deploy({ A: 'a', B: 'b' });
  await deploy({ B: 'b', C: 'c' });
  expect([...there]).toEqual(['b', 'c']);
});

test('what the next template has under another logical id stays', async () => {
  const { there, deploy } = things();
  await deploy({ A: 'a', B: 'b' });
  const { resources } = (await deploy({ Renamed: 'a', B: 'b' })).record;
  expect([...there]).toEqual(['a', 'b']);
  expect(resources.map(({ logicalId }) => logicalId)).toEqual(['Renamed', 'B']);
});
