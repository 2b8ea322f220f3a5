import { beforeEach, expect, test } from 'vitest';
import { openStacks } from '../../cloudformation/stacks.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { systemClock } from '../../kernel/clock.ts';
import { localSite } from '../support/local-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dir: string;
beforeEach(async () => void (dir = temporaryFolder('stacks-')));

interface Thing {
  readonly name: string;
  readonly size?: number;
  readonly policy?: string;
}

/** Stacks of things with a size by name; those of size 13 cannot be made, those of 99 cannot be deleted. */
function things() {
  const there = new Map<string, number>();
  const open = () =>
    openStacks({
      dir,
      site: localSite,
      clock: systemClock,
      types: {
        'A::Thing': {
          apply: async ({ Name, Size }) => {
            if (Size === 13) throw new AwsError('Unlucky', 'no thing has size 13');
            there.set(String(Name), Number(Size));
            return { ref: String(Name), attributes: {} };
          },
          remove: async (name) => {
            if (there.get(name) === 99) throw new AwsError('Heavy', `${name} is too heavy`);
            there.delete(name);
          },
        },
      },
    });
  let stacks = open();
  return {
    there,
    get stacks() {
      return stacks;
    },
    restart: () => void (stacks = open()),
    deploy: (resources: Readonly<Record<string, Thing>>, Outputs = {}) => {
      const entries = Object.entries(resources).map(([id, { name, size = 1, policy }]) => [
        id,
        { Type: 'A::Thing', Properties: { Name: name, Size: size }, DeletionPolicy: policy },
      ]);
      const template = JSON.stringify({ Resources: Object.fromEntries(entries), Outputs });
      return stacks.deploy({ stackName: 's', template, parameters: {} });
    },
    history: () => stacks.book.find('s').events.map(({ logicalId, status }) => `${logicalId} ${status}`),
  };
}

test('a creation that fails is undone, the last made first', async () => {
  const { there, deploy, history, stacks } = things();
  await expect(deploy({ A: { name: 'a' }, B: { name: 'b' }, C: { name: 'c', size: 13 } })).rejects.toThrow(
    expect.objectContaining({
      name: 'Unlucky',
      message: 'C (A::Thing): no thing has size 13 (stack s is ROLLBACK_COMPLETE now)',
    }),
  );
  expect([...there.keys()]).toEqual([]);
  expect(stacks.book.find('s')).toMatchObject({ status: 'ROLLBACK_COMPLETE', resources: [], outputs: [] });
  expect(history()).toEqual([
    's CREATE_IN_PROGRESS',
    'A CREATE_IN_PROGRESS',
    'A CREATE_IN_PROGRESS',
    'A CREATE_COMPLETE',
    'B CREATE_IN_PROGRESS',
    'B CREATE_IN_PROGRESS',
    'B CREATE_COMPLETE',
    'C CREATE_IN_PROGRESS',
    'C CREATE_FAILED',
    's ROLLBACK_IN_PROGRESS',
    'C DELETE_COMPLETE',
    'B DELETE_IN_PROGRESS',
    'B DELETE_COMPLETE',
    'A DELETE_IN_PROGRESS',
    'A DELETE_COMPLETE',
    's ROLLBACK_COMPLETE',
  ]);
});

test('a creation that was rolled back can only be deleted, also by the next process', async () => {
  const all = things();
  await expect(all.deploy({ A: { name: 'a', size: 13 } })).rejects.toThrow();
  all.restart();
  await expect(all.deploy({ A: { name: 'a' } })).rejects.toThrow(
    'is in ROLLBACK_COMPLETE state and can not be updated.',
  );
  await all.stacks.delete('s');
  await expect(all.deploy({ A: { name: 'a' } })).resolves.toMatchObject({
    record: { status: 'CREATE_COMPLETE' },
  });
});

test('what a creation makes is retained where its policy says so', async () => {
  const { there, deploy, history } = things();
  const resources = {
    Kept: { name: 'kept', policy: 'Retain' },
    New: { name: 'new', policy: 'RetainExceptOnCreate' },
    C: { name: 'c', size: 13 },
  };
  await expect(deploy(resources)).rejects.toThrow();
  expect([...there.keys()]).toEqual(['kept']);
  expect(history()).toContain('Kept DELETE_SKIPPED');
});

test('what cannot be deleted is reported, and goes with the stack', async () => {
  const { there, deploy, stacks } = things();
  await expect(deploy({ A: { name: 'a', size: 99 }, C: { name: 'c', size: 13 } })).rejects.toThrow(
    '(stack s is ROLLBACK_FAILED now; not undone: A: a is too heavy)',
  );
  await expect(stacks.delete('s')).rejects.toThrow('Stack s was not deleted: A: a is too heavy');
  expect(stacks.book.find('s').status).toBe('DELETE_FAILED');
  there.set('a', 1);
  await stacks.delete('s');
  expect([...there.keys()]).toEqual([]);
  expect(stacks.book.all()).toEqual([]);
});

test('an update that fails leaves the stack as it was', async () => {
  const { there, deploy, stacks, history } = things();
  const { record: before } = await deploy({ A: { name: 'a' }, B: { name: 'b' } }, { Out: { Value: 'one' } });
  const after = { A: { name: 'a', size: 2 }, New: { name: 'new' }, C: { name: 'c', size: 13 } };
  await expect(deploy(after, { Out: { Value: 'two' } })).rejects.toThrow(
    'C (A::Thing): no thing has size 13 (stack s is UPDATE_ROLLBACK_COMPLETE now)',
  );
  expect(Object.fromEntries(there)).toEqual({ a: 1, b: 1 });
  const { outputs, template } = before;
  expect(stacks.book.find('s')).toMatchObject({
    resources: before.resources.map(({ logicalId, physicalId, made }) => ({ logicalId, physicalId, made })),
    outputs,
    template,
    status: 'UPDATE_ROLLBACK_COMPLETE',
  });
  expect(history().slice(before.events.length)).toEqual([
    's UPDATE_IN_PROGRESS',
    'A UPDATE_IN_PROGRESS',
    'A UPDATE_COMPLETE',
    'New CREATE_IN_PROGRESS',
    'New CREATE_IN_PROGRESS',
    'New CREATE_COMPLETE',
    'C CREATE_IN_PROGRESS',
    'C CREATE_FAILED',
    's UPDATE_ROLLBACK_IN_PROGRESS',
    'A UPDATE_IN_PROGRESS',
    'A UPDATE_COMPLETE',
    's UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS',
    'C DELETE_COMPLETE',
    'New DELETE_IN_PROGRESS',
    'New DELETE_COMPLETE',
    's UPDATE_ROLLBACK_COMPLETE',
  ]);
  await expect(deploy({ B: { name: 'b' } })).resolves.toMatchObject({
    record: { status: 'UPDATE_COMPLETE' },
  });
});

test('an output that cannot be resolved undoes a deployment, too', async () => {
  const { there, deploy } = things();
  await expect(
    deploy({ A: { name: 'a' } }, { Out: { Value: { 'Fn::Select': [5, ['a']] } } }),
  ).rejects.toThrow('ROLLBACK_COMPLETE');
  expect([...there.keys()]).toEqual([]);
});

test('an update whose rollback deletes what was there under another logical id does not', async () => {
  const { there, deploy } = things();
  await deploy({ A: { name: 'a' } });
  await expect(deploy({ Renamed: { name: 'a' }, C: { name: 'c', size: 13 } })).rejects.toThrow();
  expect([...there.keys()]).toEqual(['a']);
});

test('an update goes through where what it no longer has cannot be deleted, or is retained', async () => {
  const { there, deploy } = things();
  await deploy({
    A: { name: 'a', size: 99 },
    Kept: { name: 'kept', policy: 'RetainExceptOnCreate' },
    C: { name: 'c' },
  });
  const { record, events } = await deploy({ C: { name: 'c' } });
  const { status, resources } = record;
  expect(status).toBe('UPDATE_COMPLETE');
  expect(resources.map(({ logicalId }) => logicalId)).toEqual(['C']);
  expect([...there.keys()]).toEqual(['a', 'kept', 'c']);
  expect(events).toContainEqual(
    expect.objectContaining({ logicalId: 'A', status: 'DELETE_FAILED', reason: 'a is too heavy' }),
  );
});
