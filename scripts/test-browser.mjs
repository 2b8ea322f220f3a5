// `npm run test:browser`: the report page in the system's Chromium.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['test/browser/report-page.ts', ...process.argv.slice(2)]);
