// `npm run test:fuzz [-- --seed N --minutes M --target X]`: mutated inputs for every reader of external data.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['test/fuzz/campaign.ts', ...process.argv.slice(2)]);
