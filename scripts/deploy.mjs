// `npm run deploy -- --stage NAME …` and `npm run remove`: `inferdrop deploy` and `inferdrop remove` of this checkout.
import { ensureInstalled, lookForCredentials, run } from './bootstrap.mjs';

ensureInstalled({ development: false });
await lookForCredentials(process.argv.slice(2));
process.exitCode = await run(['src/cli/main.ts', ...process.argv.slice(2)]);
