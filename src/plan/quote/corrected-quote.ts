import { roundUsd } from '../../price/round-usd.ts';
import { dollars, short } from '../../text/figures.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { speedBounds, type WrittenAnswers } from '../../transform/measured-speed.ts';
import { planningOf } from '../engine/engine-of.ts';
import type { Plan } from '../plan.ts';

/**
 * The plan with the quotes of the other jobs by the speed of its pilot; undefined if the pilot does not contradict them. Few answers show a
 * range: a speed outside of it is moved to its nearer end.
 */
export function correctedQuote(plan: Plan, pilot: JobRecord, answers: WrittenAnswers): Plan | undefined {
  const planning = planningOf(plan.engine.name);
  const { quoteUsd, hourlyUsd } = plan.cost;
  const { least, most } = speedBounds(answers);
  const expected = planning.speed(pilot.engine);
  const speed = Math.min(most, Math.max(least, expected));
  if (speed === expected) return undefined;
  const jobs = plan.jobs.map((job) => {
    if (job.pilot) return job;
    const engine = planning.withSpeed(job.engine, speed);
    return { ...job, engine, quotedSeconds: planning.quoteSeconds(job, engine) };
  });
  const seconds = jobs.reduce((sum, job) => sum + (job.pilot ? 0 : job.quotedSeconds), 0);
  const corrected =
    quoteUsd === null || hourlyUsd === null
      ? quoteUsd
      : roundUsd((pilot.costUsd ?? 0) + (hourlyUsd * seconds) / 3600);
  const quotes = corrected === null ? '' : ` from ${dollars(quoteUsd)} to ${dollars(corrected)}`;
  const { maxCostUsd } = plan.limits;
  const isTooMuch = corrected !== null && maxCostUsd !== null && corrected > maxCostUsd;
  const end = isTooMuch
    ? `, and the run ends before its last input, when limits.maxCostUsd (${dollars(maxCostUsd)}) is reached`
    : '';
  const note =
    `the pilot answered ${speed === least ? 'at least' : 'at most'} ${figure(speed)} inputs a second, and the quote ` +
    `expected ${figure(expected)}: the quote is corrected${quotes}${end}`;
  return {
    ...plan,
    jobs,
    rounds: plan.rounds && { ...plan.rounds, engine: planning.withSpeed(plan.rounds.engine, speed) },
    cost: { ...plan.cost, quoteUsd: corrected },
    notes: [...plan.notes, note],
  };
}

function figure(value: number): string {
  return short(value, 3);
}
