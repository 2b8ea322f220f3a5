// Runs vitest and prints the slowest files, and the count as the last line; for `npm test` and `npm run test:python`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, run, tool } from './bootstrap.mjs';

/** @returns the exit code: 0 only when at least one test ran and none failed. */
export async function runVitest(resultsFile, args) {
  const results = path.join(root, 'build', resultsFile);
  mkdirSync(path.dirname(results), { recursive: true });
  rmSync(results, { force: true });
  const began = performance.now();
  const code = await run([
    tool('vitest'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...args,
  ]);
  if (!existsSync(results)) {
    process.stderr.write(
      `vitest ended with exit code ${code} before it wrote ${results}: it crashed or was killed\n`,
    );
    return 1;
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  for (const line of slowest(results)) process.stdout.write(`${line}\n`);
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} tests (${seconds} s)\n`);
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(results, 'utf8'));
  process.stdout.write(`Tests: ${numPassedTests} passed, ${numFailedTests} failed\n`);
  return code !== 0 || numFailedTestSuites > 0 || numPassedTests === 0 ? 1 : 0;
}

/** The files that took more than 20 s, at most ten. */
function slowest(results) {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  return testResults
    .map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
    .filter(({ ms }) => ms > 20_000)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 10)
    .map(({ name, ms }) => `     ${path.relative(root, name)} (${Math.round(ms / 1000)} s)`);
}
