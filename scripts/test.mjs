// `npm test`: every test but the longer flows on the real stack, which are `npm run test:flow`; with folders or files, those. The count is
// the last line.
import { ensureInstalled } from './bootstrap.mjs';
import { runVitest } from './run-vitest.mjs';

/** One flow of each state machine stays: the rest of the flows take longer than all other tests. */
const EVERY_DAY = [
  '--exclude=test/flow/!(main-job).test.ts',
  '--exclude=lab/{mutations,reports}/**',
  '--exclude=lab/faults/check-round.test.ts',
];

ensureInstalled();
const given = process.argv.slice(2);
process.exitCode = await runVitest('test-results.json', given.length > 0 ? given : EVERY_DAY);
