// `npm run generate`: see generate.ts.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['scripts/generate.ts', ...process.argv.slice(2)]);
