// `npm run test:fuzz [-- --seed N --minutes M --target X]`: changed inputs for every reader of what comes from outside.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['test/fuzz/campaign.ts', ...process.argv.slice(2)]);
