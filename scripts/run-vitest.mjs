// Runs vitest and prints the slowest files, and the count as the last line; for `npm test` and `npm run lab`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
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
  const { testResults, numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
    readFileSync(results, 'utf8'),
  );
  for (const line of [...slowest(testResults), ...failures(testResults)]) process.stdout.write(`${line}\n`);
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} tests (${seconds} s)\n`);
  process.stdout.write(`Tests: ${numPassedTests} passed, ${numFailedTests} failed\n`);
  return code !== 0 || numFailedTestSuites > 0 || numPassedTests === 0 ? 1 : 0;
}

/** The files that took more than 20 s, at most ten. */
function slowest(testResults) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
    .filter(({ ms }) => ms > 20_000)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 10)
    .map(({ name, ms }) => `     ${path.relative(root, name)} (${Math.round(ms / 1000)} s)`);
}

/**
 * Lines on at most 20 failed tests and their reasons, to be printed last: the end of a long log is read first, and may be
 * all that is kept.
 */
function failures(testResults) {
  return testResults
    .flatMap(({ name, message, assertionResults }) => {
      const file = path.relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0 && message !== '') return [[`FAIL ${file}`, beginning(message)]];
      return failed.map((test) => [
        `FAIL ${file} > ${test.fullName}`,
        beginning(test.failureMessages.join('\n')),
      ]);
    })
    .slice(0, 20)
    .flat();
}

/** The first 20 lines that are not of a package's stack, each of at most 300 characters. */
const beginning = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !/^ +at .*(node_modules|<anonymous>)/.test(line))
    .slice(0, 20)
    .map((line) => `     ${line.slice(0, 300)}`)
    .join('\n');
