import type { NamedTensors, Tensor } from '../savedmodel/servable-model.ts';
import type { CallResult } from './joint-runs.ts';

/** Answers of several calls of one signature, and the processor time that they took together, if it was measured. */
export interface RunnerAnswer {
  readonly results: readonly CallResult[];
  readonly cpuMs: number | undefined;
}

/** One copy of the model. */
export interface Runner {
  /** Why it runs no more. */
  readonly ended: Error | undefined;
  /** @throws {Error} if the process dies meanwhile */
  run(signature: string, calls: readonly NamedTensors[]): Promise<RunnerAnswer>;
}

interface Call {
  readonly signature: string;
  readonly feeds: NamedTensors;
  readonly answer: PromiseWithResolvers<Map<string, Tensor>>;
}

const MAX_CALLS = 8;
/** Longest delay of one call because it travels with others. */
const MAX_JOINT_MS = 25;

/**
 * Hands calls to the runner that has least to do. While all are busy calls wait, and those that wait travel together, for
 * each message between processes costs as much as a small network: so nothing waits for the sake of a batch. Slow models
 * take calls one by one, the next lying ready.
 */
export function createRunQueue(
  runners: readonly Runner[],
): (signature: string, feeds: NamedTensors) => Promise<Map<string, Tensor>> {
  const waiting: Call[] = [];
  const underWay = new Map<Runner, number>(runners.map((runner) => [runner, 0]));
  /** Least processor time of a call, by signature; refused calls do not count. */
  const costs = new Map<string, number>();
  let scheduled = false;

  const limitOf = (signature: string): number => {
    const cost = costs.get(signature);
    return cost === undefined ? 1 : Math.min(MAX_CALLS, Math.max(1, Math.floor(MAX_JOINT_MS / cost)));
  };
  const start = async (runner: Runner, calls: readonly Call[], signature: string): Promise<void> => {
    underWay.set(runner, (underWay.get(runner) ?? 0) + 1);
    try {
      const { results, cpuMs } = await runner.run(
        signature,
        calls.map(({ feeds }) => feeds),
      );
      const whole = results.every(({ status }) => status === 'fulfilled');
      const cost = whole ? (cpuMs ?? Infinity) / calls.length : Infinity;
      if (cost < (costs.get(signature) ?? Infinity)) costs.set(signature, cost);
      answerEach(calls, results);
    } catch (error) {
      for (const { answer } of calls) answer.reject(error);
    } finally {
      underWay.set(runner, (underWay.get(runner) ?? 1) - 1);
      dispatch();
    }
  };
  const dispatch = (): void => {
    scheduled = false;
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const { signature } = first;
      const runner = idlest(underWay);
      if (runner?.ended !== undefined) {
        for (const { answer } of waiting.splice(0)) answer.reject(runner.ended);
        return;
      }
      const limit = limitOf(signature);
      if (runner === undefined || (underWay.get(runner) ?? 0) >= (limit === 1 ? 2 : 1)) return;
      const others = waiting.findIndex((call) => call.signature !== signature);
      const calls = waiting.splice(0, Math.min(limit, others < 0 ? waiting.length : others));
      void start(runner, calls, signature);
    }
  };
  return (signature, feeds) => {
    const answer = Promise.withResolvers<Map<string, Tensor>>();
    waiting.push({ signature, feeds, answer });
    // What arrives in one turn of the event loop is handed over at its end.
    if (!scheduled) {
      scheduled = true;
      setImmediate(dispatch);
    }
    return answer.promise;
  };
}

function answerEach(calls: readonly Call[], results: readonly CallResult[]): void {
  calls.forEach(({ answer }, index) => {
    const result = results[index];
    if (result?.status === 'fulfilled') answer.resolve(new Map(result.value));
    else answer.reject(result?.reason ?? new Error('The model gave no answer'));
  });
}

function idlest(underWay: ReadonlyMap<Runner, number>): Runner | undefined {
  let best: Runner | undefined;
  for (const [runner, count] of underWay)
    if (best === undefined || count < (underWay.get(best) ?? 0)) best = runner;
  return best;
}
