// `npm run test:offline`: the example in a network namespace without routes makes no connection outside, and has the same report.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['test/offline/example.ts']);
