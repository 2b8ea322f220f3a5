import { expect, test } from 'vitest';
import type { ForkedModel } from '../engine/fork-model.ts';
import { createLastingModel } from '../engine/load-in-processes.ts';

/** Processes that die when the test says so; each answers with its number. */
function createProcesses(refusal?: Error) {
  const deaths: (() => void)[] = [];
  const start = (): ForkedModel => {
    const number = deaths.length;
    let ended: Error | undefined;
    deaths.push(() => (ended = new Error('The process that runs the model ended with SIGKILL')));
    return {
      loaded: number > 0 && refusal !== undefined ? Promise.reject(refusal) : Promise.resolve([]),
      get ended() {
        return ended;
      },
      run: async () => {
        if (ended !== undefined) throw ended;
        return { results: [], cpuMs: number };
      },
      close: async () => {
        ended ??= new Error('The model is closed');
      },
    };
  };
  return { start, deaths };
}

test('a process that dies is followed by another one', async () => {
  const said: string[] = [];
  const { start, deaths } = createProcesses();
  const model = createLastingModel(start, (line) => said.push(line));
  expect((await model.run('a', [])).cpuMs).toBe(0);
  deaths[0]!();
  expect(model.ended).toBeUndefined();
  expect((await model.run('a', [])).cpuMs).toBe(1);
  expect((await model.run('a', [])).cpuMs).toBe(1);
  expect(said).toEqual(['The process that runs the model ended with SIGKILL; it is started again']);
});

test('a process that cannot load fails the calls that wait for it', async () => {
  const { start, deaths } = createProcesses(new Error('no memory'));
  const model = createLastingModel(start, () => undefined);
  deaths[0]!();
  await expect(model.run('a', [])).rejects.toThrow('no memory');
});

test('a closed model starts no process', async () => {
  const { start, deaths } = createProcesses();
  const model = createLastingModel(start, () => undefined);
  await model.close();
  await expect(model.run('a', [])).rejects.toThrow('The model is closed');
  expect(model.ended?.message).toBe('The model is closed');
  expect(deaths).toHaveLength(1);
});
