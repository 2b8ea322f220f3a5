import { setImmediate } from 'node:timers/promises';
import type { Block, State } from '../definition/machine.ts';
import { type Payload, payloadFromText, payloadOf, withinLimit } from '../payload.ts';
import { runChoice } from './choice.ts';
import { isAborted } from './concurrently.ts';
import type { Engine } from './engine.ts';
import { runFail } from './fail.ts';
import type { Interruption } from './interruption.ts';
import { guarded } from './retry-and-catch.ts';
import type { Thread, Visit } from './thread.ts';
import { failureOf, leave, type Outcome } from './visit.ts';
import { runWait } from './wait.ts';

const ABORTABLE: ReadonlySet<string> = new Set(['Task', 'Wait', 'Map']);

/** States that never wait (a loop of Pass and Choice) must leave the event loop room to breathe. */
const VISITS_A_TURN = 100;

/** Runs a block from its first state to its end, or from where it was interrupted. */
export async function runBlock(
  engine: Engine,
  block: Block,
  input: Payload,
  thread: Thread,
  interruption?: Interruption,
): Promise<Payload> {
  let name = interruption?.stateName ?? block.startAt;
  let current = interruption ? payloadFromText(interruption.input) : input;
  let interrupted = interruption;
  let visits = 0;
  for (;;) {
    thread.signal.throwIfAborted();
    const state = block.states.get(name);
    if (!state) throw new Error(`state '${name}' vanished from its block`);
    const outcome = await visitState(engine, state, current, thread, interrupted);
    interrupted = undefined;
    if (++visits % VISITS_A_TURN === 0) await setImmediate();
    current = outcome.output;
    if (outcome.next === undefined) return current;
    name = outcome.next;
  }
}

async function visitState(
  engine: Engine,
  state: State,
  input: Payload,
  thread: Thread,
  interrupted: Interruption | undefined,
): Promise<Outcome> {
  const details = { name: state.name, input: input.text, inputDetails: { truncated: false } };
  const enteredEventId = interrupted?.enteredEventId ?? thread.log(`${state.Type}StateEntered`, details);
  const visit: Visit = {
    thread,
    stateName: state.name,
    input: input.value,
    inputText: input.text,
    enteredEventId,
    enteredTime: new Date(interrupted?.enteredMs ?? engine.clock.now()).toISOString(),
    retryCount: 0,
    mapRunArn: interrupted?.mapRunArn,
  };
  const outcome = await runState(engine, state, visit).catch((error: unknown) => {
    if (isAborted(thread.signal) && ABORTABLE.has(state.Type)) thread.log(`${state.Type}StateAborted`);
    throw error;
  });
  const assigned = Object.entries(outcome.assigned).map(
    ([key, value]) => [key, JSON.stringify(value)] as const,
  );
  thread.log(`${state.Type}StateExited`, {
    name: state.name,
    output: outcome.output.text,
    outputDetails: { truncated: false },
    ...(assigned.length > 0
      ? { assignedVariables: Object.fromEntries(assigned), assignedVariablesDetails: { truncated: false } }
      : {}),
  });
  return outcome;
}

async function runState(engine: Engine, state: State, visit: Visit): Promise<Outcome> {
  const input: Payload = { value: visit.input, text: visit.inputText };
  switch (state.Type) {
    case 'Pass':
      return unguarded(visit, () => leave(engine, visit, state, input, state.Next));
    case 'Succeed':
      return unguarded(visit, () => leave(engine, visit, state, input, undefined));
    case 'Wait':
      return unguarded(visit, () => runWait(engine, state, visit, input));
    case 'Choice':
      return unguarded(visit, () => runChoice(engine, state, visit, input));
    case 'Fail':
      return unguarded(visit, () => runFail(engine, state, visit));
    case 'Task':
      return guarded(engine, state, visit, async () => {
        const result = await engine.runTask(state, visit);
        return leave(engine, visit, state, result, state.Next, { result: result.value });
      });
    case 'Map':
      return guarded(engine, state, visit, async () => {
        const result = resultOf(
          await engine.runDistributedMap(state, visit),
          state.name,
          state.Output !== undefined,
        );
        return leave(engine, visit, state, result, state.Next, { result: result.value });
      });
  }
}

/** A joined result is bounded where it would become the state's output as it is. */
function resultOf(value: Payload['value'], name: string, isShaped: boolean): Payload {
  const payload = payloadOf(value);
  return isShaped ? payload : withinLimit(payload, `result of the state '${name}'`);
}

async function unguarded(visit: Visit, attempt: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await attempt();
  } catch (thrown) {
    throw failureOf(visit, thrown);
  }
}
