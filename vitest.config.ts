import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{test,packages/*/test}/**/*.test.ts'],
    globalSetup: 'test/support/own-temporary-folder.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A process for each file, not a thread: V8 keeps one registry of compiled pages a process, and WebAssembly that
    // several threads load and free can end the process with `Check failed: jit_page.has_value()` (nodejs/node#64500).
    pool: 'forks',
    maxWorkers: availableParallelism(),
    coverage: { provider: 'v8', include: ['src/**', 'functions/**', 'packages/*/!(test)/**'] },
  },
});
