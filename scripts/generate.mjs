// `npm run generate`: see generate.ts and check-expressions.ts.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode =
  (await run(['scripts/generate.ts'])) || (await run(['scripts/check-expressions.ts', '--write']));
