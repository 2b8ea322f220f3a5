import { afterEach, beforeEach } from 'vitest';
import {
  FunctionError,
  type LocalStates,
  localStates,
} from '../../packages/laptop/test/support/local-states.ts';
import { memoryMapObjects } from '../../packages/laptop/test/support/memory-map-objects.ts';
import { readMachine } from './read-machine.ts';

/** What a function answers when its turn comes. */
export type Answer = object | (() => never);

interface Script {
  /** Answers of a good execution by function. */
  readonly good: Readonly<Record<string, readonly Answer[]>>;
  readonly input: object;
  /** Objects that the machine itself reads, by bucket and key. */
  readonly objects?: Readonly<Record<string, string>>;
  /** Placeholders of the definition that are not functions. */
  readonly values?: Readonly<Record<string, string>>;
  /** Placeholders of machines that the execution starts; each ends at once. */
  readonly starts?: readonly string[];
}

/** A state machine of this repository on Step Functions alone, whose functions answer by a script; a new one for each test. */
export function scriptedMachine(name: string, { good, input, objects, values, starts = [] }: Script) {
  let stack: LocalStates;
  let machine: string;
  let calls: [name: string, payload: Record<string, any>][];

  beforeEach(async () => {
    calls = [];
    stack = await localStates({
      objects: memoryMapObjects(new Map(Object.entries(objects ?? {}))),
      chance: { random: () => 0.5, uuid: () => crypto.randomUUID() },
    });
    const done = { QueryLanguage: 'JSONata', StartAt: 'Done', States: { Done: { Type: 'Succeed' } } };
    const machines: Record<string, string> = {};
    for (const other of starts) machines[other] = await stack.machine(other, done);
    machine = await stack.machine(name, await readMachine(name, { ...values, ...machines }));
  });
  afterEach(() => stack.close());

  const payloads = (of: string): Record<string, any>[] =>
    calls.filter(([called]) => called === of).map(([, payload]) => payload);
  return {
    /** Runs it for a day with these answers in place of the good ones; a function's last answer is given again. */
    async run(script: Readonly<Record<string, readonly Answer[]>> = {}, changes: object = {}) {
      for (const [of, answers] of Object.entries({ ...good, ...script })) {
        const left = [...answers];
        stack.functions[of] = (payload) => {
          calls.push([of, payload]);
          const answer = left.length > 1 ? left.shift() : left[0];
          return typeof answer === 'function' ? answer() : answer;
        };
      }
      const arn = await stack.start(machine, { schema: 1, ...input, ...changes });
      await stack.clock.advance(86_400_000);
      return stack.describe(arn);
    },
    /** Functions in the order of their calls. */
    called: (): string[] => calls.map(([of]) => of),
    /** What a function was called with, call by call. */
    payloads,
    /** What a function was called with last. */
    payload: (of: string) => payloads(of).at(-1),
    /** Inputs of the executions that the machine has started. */
    started: () =>
      stack.events.flatMap(({ detail }) =>
        detail.stateMachineArn !== machine && detail.status === 'RUNNING'
          ? [JSON.parse(String(detail.input))]
          : [],
      ),
  };
}

/** An answer that fails by an error's name. */
export const throws =
  (name: string, message = '') =>
  (): never => {
    throw new FunctionError(name, message);
  };
