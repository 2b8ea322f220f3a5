import pc from 'picocolors';
import { expect, it } from 'vitest';
import type { Verification } from '../../../src/app/verify/verification.ts';
import { verificationTable, verificationText } from '../../../src/cli/show/verification-text.ts';

const verification: Verification = {
  schema: 1,
  program: 'inferdrop 0.1.0',
  stack: 'inferdrop-dev',
  place: 'AWS',
  region: 'eu-west-1',
  startedAt: '2026-11-22T12:00:00.000Z',
  endedAt: '2026-11-22T12:00:09.000Z',
  spendUsd: 1,
  estimatedUsd: 0.06,
  interrupted: false,
  checks: [
    {
      check: 'lambda-concurrency',
      asked: 'How many?',
      answered: '10 concurrent executions, 10 of them unreserved',
      verdict: 'warning',
      means: 'Runs are slow.',
      estimatedUsd: null,
      neededUsd: null,
      seconds: 0.1,
    },
    {
      check: 'gpu',
      asked: 'Which driver?',
      answered: '–',
      verdict: 'not run',
      means: 'Needs --spend 1.43.',
      estimatedUsd: 0.37,
      neededUsd: 1.43,
      seconds: 0,
    },
    {
      check: 'large-manifest',
      asked: 'How many files?',
      answered: '–',
      verdict: 'not run',
      means: 'Needs --spend 6.61.',
      estimatedUsd: 6.55,
      neededUsd: 6.61,
      seconds: 0,
    },
  ],
  removed: ['model m'],
  left: ['objects: AccessDenied: no'],
};

it('in a pipe every check that was tried is a paragraph, and one line names those that were not', () => {
  expect(verificationText(verification).join('\n'))
    .toBe(`inferdrop 0.1.0: inferdrop-dev at AWS in eu-west-1, 2026-11-22 12:00:00 UTC, may spend $1.00

lambda-concurrency: warning
  asked:    How many?
  answered: 10 concurrent executions, 10 of them unreserved
  means:    Runs are slow.

3 checks: 1 warning, 2 not run
Left out, since they create or cost something: gpu $0.37, large-manifest $6.55. --spend 6.98 covers all checks.
Estimated cost of what ran: $0.06
Removed: model m
NOT removed: objects: AccessDenied: no`);
});

it('in a terminal it is a table that fits', () => {
  const lines = verificationTable(verification, { columns: 70, color: pc.createColors(false) });
  expect(lines.slice(3, 12)).toEqual([
    'CHECK               VERDICT  WHAT AWS ANSWERED, AND WHAT IT MEANS',
    'lambda-concurrency  warning  10 concurrent executions, 10 of them',
    '                             unreserved',
    '                             Runs are slow.',
    '',
    '3 checks: 1 warning, 2 not run',
    'Left out, since they create or cost something: gpu $0.37,',
    'large-manifest $6.55. --spend 6.98 covers all checks.',
    'Estimated cost of what ran: $0.06',
  ]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(70);
});
