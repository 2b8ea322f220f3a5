import { defineConfig } from 'vitest/config';

/** The laboratories that need a Python installation, as `lab/laboratories.mjs` starts them. */
export default defineConfig({
  test: {
    globalSetup: 'test/support/own-temporary-folder.ts',
    setupFiles: 'test/support/captured-output.ts',
    // A failed test shows what was printed for it, and a passed one nothing.
    silent: 'passed-only',
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 600_000 } },
    pool: 'forks',
    // Each installs packages and starts processes; side by side they would only wait for each other.
    fileParallelism: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'python',
          include: ['{lab/python,packages/model-container/lab}/*.check.ts'],
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'training',
          include: ['{lab/training,packages/training-container/lab,packages/laptop/lab/training}/*.check.ts'],
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});
