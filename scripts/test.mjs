// `npm test`: every test, with the count as the last line.
import { ensureInstalled } from './bootstrap.mjs';
import { runVitest } from './run-vitest.mjs';

ensureInstalled();
process.exitCode = await runVitest('test-results.json', process.argv.slice(2));
