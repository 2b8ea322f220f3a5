// `npm run phrases`: see phrases.ts.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['scripts/phrases.ts', ...process.argv.slice(2)]);
