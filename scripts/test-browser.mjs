// `npm run test:browser`: the report page in the system's Chromium, and pages that attack the stack from there.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
for (const suite of ['report-page', 'foreign-pages']) {
  const code = await run([`test/browser/${suite}.ts`, ...process.argv.slice(2)]);
  if (code !== 0) process.exit(code);
}
