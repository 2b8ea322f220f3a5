/** Entry of a process that is the function `predict-shard`: its bucket, and what it may die of, are its parent's. */
import { Readable } from 'node:stream';
import { modelOpener } from '../../functions/runtime/open-model.ts';
import { predictShard } from '../../src/app/engine/lambda/predict-shard.ts';
import type { OpenModel } from '../../src/app/engine/lambda/predicting-model.ts';
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';

/** A call of the store, or the stage that the process has reached. */
export type FromShard =
  | { readonly id: number; readonly call: string; readonly args: readonly unknown[] }
  | { readonly done: boolean };

const waiting = new Map<number, (value: any) => void>();
let next = 0;
process.on('message', ({ id, value }: { id: number; value: unknown }) => waiting.get(id)?.(value));
// Nothing else keeps this process.
process.on('disconnect', () => process.exit());

function ask(call: string, ...args: readonly unknown[]): Promise<any> {
  const id = next++;
  process.send!({ id, call, args });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const store: any = {
  in: () => store,
  describe: (key: string) => ask('describe', key),
  readText: (key: string) => ask('readText', key),
  readBytes: async (key: string, range?: unknown) => {
    const bytes = await ask('readBytes', key, range);
    return bytes && Buffer.from(bytes);
  },
  readStream: async (key: string) => {
    const bytes = await ask('readBytes', key);
    return bytes && Readable.from([Buffer.from(bytes)]);
  },
  write: (key: string, body: string) => ask('write', key, body),
};

/** The real model; some inputs end the process as a crash of onnxruntime does, or exhaust its memory. */
function mortal(open: OpenModel): OpenModel {
  return async (model, job) => {
    await ask('convert');
    const opened = await open(model, job);
    return {
      ...opened,
      async answer(request) {
        const body = Buffer.from(request.body).toString();
        await ask('infer', body);
        if (body.includes('crash')) process.abort();
        for (const held: number[][] = []; body.includes('greedy');) held.push(Array(1e6).fill(held.length));
        return opened.answer(request);
      },
    };
  };
}

const [, , item = ''] = process.argv;
const { isDone } = await predictShard(JSON.parse(item), {
  store: store as ObjectStore,
  clock: () => new Date(),
  openModel: mortal(modelOpener(store)),
  memoryMB: 1769,
  peakMB: () => 0,
  ticks: () => () => undefined,
  startMs: () => 0,
});
process.send!({ done: isDone }, () => process.exit());
