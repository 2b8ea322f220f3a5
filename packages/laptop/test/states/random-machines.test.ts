import type { HistoryEvent } from '@aws-sdk/client-sfn';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FunctionError, invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeAll(async () => {
  stack = await localStates({
    functions: {
      echo: (event) => event,
      fails: () => {
        throw new FunctionError('Mine');
      },
    },
  });
});
afterAll(() => stack.close());

/** One step of a block; blocks inside it are lists of steps again. */
type Step =
  | { kind: 'pass' | 'wait' | 'echo' | 'bad-query' }
  | { kind: 'fails'; caught: boolean; attempts: number }
  | { kind: 'choice'; skip: boolean }
  | { kind: 'map'; items: number; block: Step[]; caught: boolean };

const { steps } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => ({
  steps: fc.array(tie('step'), { minLength: 1, maxLength: 4, depthIdentifier: 'd' }),
  step: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'd', withCrossShrink: true },
    { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('pass', 'wait', 'echo') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('bad-query') }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('fails'), caught: fc.boolean(), attempts: fc.nat(2) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('choice'), skip: fc.boolean() }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('map'),
        items: fc.nat(3),
        block: tie('steps'),
        caught: fc.boolean(),
      }),
    },
  ) as fc.Arbitrary<Step>,
}));

/** The block of these steps, each leading to the next, so that every machine must end. */
function blockOf(list: readonly Step[], prefix: string): { StartAt: string; States: Record<string, object> } {
  const last = `${prefix}z`;
  const States: Record<string, object> = { [last]: { Type: 'Succeed' } };
  list.forEach((step, index) => {
    const name = `${prefix}${index}`;
    const Next = index + 1 < list.length ? `${prefix}${index + 1}` : last;
    const Catch = [{ ErrorEquals: ['States.ALL'], Next }];
    States[name] = stateOf(step, name, Next, Catch);
  });
  return { StartAt: `${prefix}0`, States };
}

function stateOf(step: Step, name: string, Next: string, Catch: object[]): object {
  switch (step.kind) {
    case 'pass':
      return { Type: 'Pass', Assign: { [name]: '{% $states.context.State.Name %}' }, Next };
    case 'wait':
      return { Type: 'Wait', Seconds: 7, Next };
    case 'echo':
      return invoke('echo', { End: undefined, Next });
    case 'bad-query':
      return { Type: 'Pass', Output: '{% $states.input.no.such.thing %}', Next };
    case 'fails': {
      const Retry = [{ ErrorEquals: ['Mine'], MaxAttempts: step.attempts, JitterStrategy: 'FULL' }];
      return invoke('fails', { End: undefined, Next, Retry, ...(step.caught ? { Catch } : {}) });
    }
    case 'choice':
      return { Type: 'Choice', Choices: [{ Condition: step.skip, Next }], Default: Next };
    case 'map': {
      const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
      const ItemProcessor = { ProcessorConfig, ...blockOf(step.block, `${name}m-`) };
      const Items = Array.from({ length: step.items }, (_, index) => index);
      return { Type: 'Map', Items, ItemProcessor, Output: 'mapped', Next, ...(step.caught ? { Catch } : {}) };
    }
  }
}

const nameIn = (event: HistoryEvent): string | undefined =>
  event.stateEnteredEventDetails?.name ?? event.stateExitedEventDetails?.name;

test('random machines end, and their histories hang together', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const machine = await stack.machine(`random${++runs}`, { ...jsonata({}), ...blockOf(list, 's') });
      const arn = await stack.start(machine, { n: runs });
      await stack.clock.advance(100_000);
      const { status, output } = await stack.describe(arn);
      expect(['SUCCEEDED', 'FAILED']).toContain(status);
      const events = await stack.history(arn);
      expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
      for (const { id, previousEventId } of events) expect(previousEventId).toBeLessThan(id!);
      const [ended] = events.slice(-1);
      expect(ended?.type).toBe(status === 'SUCCEEDED' ? 'ExecutionSucceeded' : 'ExecutionFailed');
      expect(ended?.executionSucceededEventDetails?.output).toBe(output);
      // What was left had been entered, and nothing is left more often than it was entered.
      const open = new Map<string, number>();
      for (const event of events) {
        const name = nameIn(event);
        if (name === undefined) continue;
        open.set(name, (open.get(name) ?? 0) + (event.type!.endsWith('StateEntered') ? 1 : -1));
        expect(open.get(name)).toBeGreaterThanOrEqual(0);
      }
      if (status === 'SUCCEEDED') expect([...open.values()].every((count) => count === 0)).toBe(true);
    }),
    { numRuns: 60, seed: 20_260_101 },
  );
});
