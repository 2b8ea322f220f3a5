// `npm run test:flow`: runs, endpoints, trainings and deployments on the real stack, and mistakes that it must refuse. Arguments after `--`
// go to vitest: `npm run test:flow -- test/flow/heals.test.ts`.
import { ensureInstalled } from './bootstrap.mjs';
import { runVitest } from './run-vitest.mjs';

ensureInstalled();
const given = process.argv.slice(2);
process.exitCode = await runVitest(
  'test-flow-results.json',
  given.length > 0 ? given : ['test/flow', 'test/mutations'],
);
