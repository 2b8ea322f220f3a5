import { costUsd } from '../price/quote.ts';
import type { TrainingJobRecord } from './training-job-record.ts';
import type { TrainingPlan } from './training-plan.ts';

/** Billed seconds of an attempt; SageMaker reports them when the job has ended, fewer with spot capacity. */
type Billed = Pick<
  TrainingJobRecord,
  'instanceType' | 'instanceCount' | 'startedAt' | 'endedAt' | 'billableSeconds' | 'capacity'
>;

/** Cost of an attempt so far in US dollars; null if the price of the instance is not known. */
export function attemptCost(attempt: Billed, { cost }: TrainingPlan, now: Date): number | null {
  const price = cost.pricesUsd[attempt.instanceType] ?? null;
  if (price === null) return null;
  if (attempt.capacity === true || attempt.startedAt === undefined) return 0;
  const end = attempt.endedAt === undefined ? now.getTime() : Date.parse(attempt.endedAt);
  const seconds = attempt.billableSeconds ?? Math.max(0, (end - Date.parse(attempt.startedAt)) / 1000);
  return costUsd(seconds, attempt.instanceCount, price);
}
