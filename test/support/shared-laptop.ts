import { expect, test } from 'vitest';
import { type Laptop, startLaptop } from './laptop.ts';

/** A plain stack that lives as long as its worker: for file after file in the project `shared-stack`, for one file elsewhere. */
// eslint-disable-next-line no-empty-pattern -- vitest reads the names of other fixtures from it
const it = test.extend('laptop', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const laptop = await startLaptop();
  onCleanup(() => laptop.close());
  return laptop;
});

/** The test file that first used each pipeline. */
const users = new Map<string, string>();

/**
 * Prepares a file's tests on the stack that its worker shares with other files, which is quicker than a stack for each. Such a file names
 * its pipelines as no other does, looks only at what it made itself, and neither deploys to the stack nor restarts it.
 */
export function onSharedLaptop(prepare: (laptop: Laptop) => Promise<void> | void): void {
  it.beforeAll(({ laptop }) =>
    prepare({
      ...laptop,
      async givePipeline(name, ...rest) {
        claim(name);
        await laptop.givePipeline(name, ...rest);
      },
      async upload(pipeline, ...rest) {
        claim(pipeline);
        await laptop.upload(pipeline, ...rest);
      },
    }),
  );
}

/** @throws {Error} if a file that ran before has a pipeline of this name */
function claim(pipeline: string): void {
  const file = expect.getState().testPath ?? '';
  const user = users.get(pipeline) ?? file;
  if (user !== file)
    throw new Error(`the shared stack has a pipeline ${pipeline} of ${user}: give this one another name`);
  users.set(pipeline, file);
}
