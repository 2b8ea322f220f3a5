// `node scripts/failed-lines.mjs FOLDER SUITE…`: what the logs `FOLDER/SUITE.log` of failed suites say of their failures, for the end of a
// long log, which is read first and may be all that is kept. At most 150 lines.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const MAX_LINES = 150;
const MAX_LENGTH = 300;
/** Start and stop of Vitest's own account of failures, before scripts/run-vitest.mjs names them once more. */
const ACCOUNT = /⎯ Failed (?:Suites|Tests) \d+ ⎯/;
const END_OF_ACCOUNT = /^JSON report written to /;
/** First lines of failures: of vitest, of the checks, of pages, of pytest, of comparisons, of programs. */
const FAILURE = /^\s*(?:FAIL\b|FAILED\b|failed:|E {2,}\S|wrong |\w*(?:Error|Exception)\b)|\bWRONG\b/;
const BEFORE = 8;
const AFTER = 20;
/** Last lines of a suite, which say why it ended where no other line does. */
const LAST = 12;

const [folder, ...suites] = process.argv.slice(2);
for (const suite of suites) {
  const log = readFileSync(path.join(folder, `${suite}.log`), 'utf8');
  const lines = failedLines(log, Math.floor(MAX_LINES / suites.length) - 4);
  process.stdout.write([`== ${suite} failed:`, ...lines, ''].join('\n'));
}

/** @returns the lines around failures and the last ones, at most `most` of them; `…` stands for the lines between. */
function failedLines(log, most) {
  const lines = stripVTControlCharacters(log).trimEnd().split('\n');
  const begin = lines.findIndex((line) => ACCOUNT.test(line)) + 1;
  const end = begin > 0 ? lines.findLastIndex((line) => END_OF_ACCOUNT.test(line)) : lines.length;
  const kept = new Set();
  for (let at = begin; at < end; at++)
    if (FAILURE.test(lines[at]))
      for (let near = Math.max(begin, at - BEFORE); near <= at + AFTER; near++) kept.add(near);
  const places = [...lines.keys()];
  const last = Math.min(LAST, most);
  const around = places.filter((at) => kept.has(at) && at < end && lines[at].trim() !== '');
  const shown = [...new Set([...around.slice(0, most - last), ...places.slice(-last)])].sort((a, b) => a - b);
  return shown.flatMap((at, index) => [
    ...(at > (shown[index - 1] ?? -1) + AFTER ? ['…'] : []),
    lines[at].slice(0, MAX_LENGTH),
  ]);
}
