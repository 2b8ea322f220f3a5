// `npm run test:faults [-- --seed N --minutes M --drops D]`: random drops on the real stack while everything around them fails.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['test/faults/campaign.ts', ...process.argv.slice(2)]);
