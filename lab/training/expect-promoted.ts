import { expect } from 'vitest';
import type { ExampleRun } from './example-run.ts';

/** Ten classes: a tenth would be chance. */
const MIN_ACCURACY = 0.7;

/** The example's model has earned its place on two hosts, and answers as it was judged. */
export function expectPromoted({ code, report, predicted }: ExampleRun): void {
  expect(report).toMatchObject({
    status: 'completed',
    jobs: [{ status: 'Completed', instanceCount: 2 }],
    evaluation: { verdict: 'passed', inputs: 200, trainedOn: { count: 0 } },
    promotion: { promotion: 'promoted' },
  });
  expect(report.evaluation?.accuracy).toBeGreaterThan(MIN_ACCURACY);
  expect(predicted).toMatchObject({
    status: 'completed',
    total: 200,
    errors: 0,
    accuracy: report.evaluation?.accuracy,
  });
  expect(code).toBe(0);
}
