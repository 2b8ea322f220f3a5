// `npm run test:load [-- --only predict|runs|files|week]`: load on the laptop stack, and the memory and handles of its process.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['--expose-gc', 'test/load/campaign.ts', ...process.argv.slice(2)]);
