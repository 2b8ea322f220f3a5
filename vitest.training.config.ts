import { defineConfig } from 'vitest/config';

/** What trains needs a Python installation: `npm run test:training`. */
export default defineConfig({
  test: {
    include: ['packages/training-container/test/python/*.check.ts', 'test/training/*.check.ts'],
    globalSetup: 'test/support/own-temporary-folder.ts',
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    pool: 'forks',
    // Each installs packages and starts processes; side by side they would only wait for each other.
    fileParallelism: false,
  },
});
