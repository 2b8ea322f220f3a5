import { joinTensors, sliceRows } from '@inferdrop/savedmodel/internal/join-tensors';
import type { ServableModel, Tensor } from '@inferdrop/savedmodel/servable-model';
import { invalidArgument } from './serving-error.ts';

interface BatchingSettings {
  /** Rows that one run of the model takes at most. */
  readonly maxBatchSize: number;
  /** How long the first request of a batch waits for more. */
  readonly batchTimeoutMicros: number;
  /** Calls back after `micros` microseconds; real time unless a test replaces it. */
  readonly after?: (micros: number, callback: () => void) => void;
}

type Outputs = Map<string, Tensor>;
interface Task {
  readonly feeds: ReadonlyMap<string, Tensor>;
  readonly rows: number;
  readonly answer: PromiseWithResolvers<Outputs>;
}

/**
 * Groups concurrent requests of equal form into one run, as TensorFlow Serving does with `--enable_batching`: an error in one
 * request of a batch fails them all. Requests without a common first dimension run on their own.
 */
export function batchRequests(model: ServableModel, settings: BatchingSettings): ServableModel {
  const { maxBatchSize, batchTimeoutMicros, after = realTime } = settings;
  const open = new Map<string, Task[]>();

  const dispatch = (key: string, signature: string): void => {
    const tasks = open.get(key);
    open.delete(key);
    if (tasks) void runTasks(model, signature, tasks);
  };
  return {
    signatures: model.signatures,
    close: () => model.close(),
    async run(signature, feeds) {
      const rows = rowsOf(feeds);
      if (rows === undefined) return model.run(signature, feeds);
      if (rows > maxBatchSize)
        throw invalidArgument(`Task size ${rows} is larger than maximum input batch size ${maxBatchSize}`);
      const key = toKey(signature, feeds);
      const waiting = open.get(key)?.reduce((sum, task) => sum + task.rows, 0) ?? 0;
      if (waiting + rows > maxBatchSize) dispatch(key, signature);
      const task: Task = { feeds, rows, answer: Promise.withResolvers() };
      const tasks = open.get(key);
      if (tasks) tasks.push(task);
      else {
        const started = [task];
        open.set(key, started);
        after(batchTimeoutMicros, () => {
          if (open.get(key) === started) dispatch(key, signature);
        });
      }
      if ((tasks ? waiting : 0) + rows === maxBatchSize) dispatch(key, signature);
      return task.answer.promise;
    },
  };
}

function realTime(micros: number, callback: () => void): void {
  if (micros === 0) setImmediate(callback);
  else setTimeout(callback, micros / 1000);
}

/** The first dimension that all feeds share. */
function rowsOf(feeds: ReadonlyMap<string, Tensor>): number | undefined {
  const sizes = new Set([...feeds.values()].map(({ shape }) => shape[0]));
  return sizes.size === 1 ? [...sizes][0] : undefined;
}

function toKey(signature: string, feeds: ReadonlyMap<string, Tensor>): string {
  const forms = [...feeds].map(([name, { dtype, shape }]) => `${name}:${dtype}:${shape.slice(1).join('x')}`);
  return [signature, ...forms.sort()].join('|');
}

async function runTasks(model: ServableModel, signature: string, tasks: readonly Task[]): Promise<void> {
  try {
    const names = [...(tasks[0]?.feeds.keys() ?? [])];
    const joined = new Map(
      names.map((name) => [name, joinTensors(tasks.flatMap(({ feeds }) => feeds.get(name) ?? []))]),
    );
    const outputs = await model.run(signature, joined);
    const total = tasks.reduce((sum, { rows }) => sum + rows, 0);
    for (const [name, { shape }] of outputs) {
      if (shape[0] === total) continue;
      throw invalidArgument(
        `Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes of the input tensors: ${name}`,
      );
    }
    let start = 0;
    for (const { rows, answer } of tasks) {
      const end = start + rows;
      answer.resolve(new Map([...outputs].map(([name, tensor]) => [name, sliceRows(tensor, start, end)])));
      start = end;
    }
  } catch (error) {
    for (const { answer } of tasks) answer.reject(error);
  }
}
