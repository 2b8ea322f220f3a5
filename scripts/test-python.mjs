// `npm run test:python`: handlers, engines and examples that need a Python installation, with the count as the last line.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root, run } from './bootstrap.mjs';

ensureInstalled();
const results = path.join(root, 'build', 'test-python-results.json');
mkdirSync(path.dirname(results), { recursive: true });
rmSync(results, { force: true });
// Environments are kept between runs, beside the ones of the other checks; nothing reaches the user's own cache.
process.env.INFERDROP_CACHE = path.join(root, '.venv', 'inferdrop');

const code = await run([
  path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  `--config=${path.join(root, 'vitest.python.config.ts')}`,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${results}`,
  ...process.argv.slice(2),
]);
const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(results, 'utf8'));
process.stdout.write(`Tests: ${numPassedTests} passed, ${numFailedTests} failed\n`);
process.exitCode = code !== 0 || numFailedTestSuites > 0 || numPassedTests === 0 ? 1 : 0;
