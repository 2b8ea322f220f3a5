// `npm run weigh`: see weigh.ts.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['scripts/weigh.ts', ...process.argv.slice(2)]);
