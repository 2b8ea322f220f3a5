// `npm run test:python`: handlers, engines and examples that need a Python installation, with the count as the last line.
import path from 'node:path';
import { ensureInstalled, root } from './bootstrap.mjs';
import { runVitest } from './run-vitest.mjs';

ensureInstalled();
// Environments are kept between runs, beside those of the other suites; the user's own cache is not touched.
process.env.INFERDROP_CACHE = path.join(root, '.venv', 'inferdrop');
const config = path.join(root, 'vitest.python.config.ts');
process.exitCode = await runVitest('test-python-results.json', [
  `--config=${config}`,
  ...process.argv.slice(2),
]);
