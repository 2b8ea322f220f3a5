import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Flows on a plain stack, which they share. */
const SHARING = [
  'bad-input',
  'bundles',
  'burst',
  'command-line',
  'endpoint',
  'handler-exception',
  'lambda-engine',
  'onnx',
  'pilot',
  'pipeline-limits',
  'probe',
  'records',
  'rescore',
  'review',
  'role-borders',
  'sample',
  'tars',
]
  .map((name) => `${name}.test`)
  .join('|');

/**
 * Tests of the real stack, of campaigns against it, and of the SDK's clients: each file owns the AWS settings and clients of
 * its process.
 */
const STACK = ['test/{aws,functions}/**/*.test.ts', `test/flow/!(${SHARING}).ts`, 'lab/**/*.test.ts'];

/** Stops hung tests; no machine is so slow that a test needs this long. */
const PATIENCE_MS = 600_000;

/** Files of these projects follow one another in the same processes, so that a module is loaded once for all of them. */
const reused = { isolate: false };

/** Projects of stacks. They have a group of their own, since vitest takes one number of workers a group. */
const stacks = {
  globalSetup: 'test/support/package-once.ts',
  // Twice the cores: a run waits for quiet, polls and ports for half of its time.
  maxWorkers: 2 * availableParallelism(),
  maxConcurrency: 8,
  sequence: { groupOrder: 1 },
};

export default defineConfig({
  test: {
    globalSetup: 'test/support/own-temporary-folder.ts',
    setupFiles: 'test/support/captured-output.ts',
    // A failed test shows what was printed for it, and a passed one nothing.
    silent: 'passed-only',
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    teardownTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS, interval: 10 } },
    // Processes, not threads: V8 keeps one registry of compiled pages a process, and WebAssembly that several threads load and
    // free can end the process with `Check failed: jit_page.has_value()` (nodejs/node#64500).
    pool: 'forks',
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    coverage: { provider: 'v8', include: ['src/**', 'functions/**', 'packages/*/!(test)/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'application',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{flow,aws,functions}/**'],
          ...reused,
        },
      },
      { extends: true, test: { name: 'packages', include: ['packages/*/test/**/*.test.ts'], ...reused } },
      { extends: true, test: { name: 'stack', include: STACK, ...stacks } },
      {
        extends: true,
        test: { name: 'shared-stack', include: [`test/flow/@(${SHARING}).ts`], ...stacks, ...reused },
      },
    ],
  },
});
