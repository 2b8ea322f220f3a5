import { quotaName } from '../model/quota-name.ts';
import type { TrainingSettings } from '../pipeline/training-settings.ts';
import type { ResolvedPrices } from '../plan/quote/resolve-cost.ts';
import { costUsd } from '../price/quote.ts';
import type { Problem } from '../problem/problem.ts';
import { settingProblem } from './setting-problem.ts';

/** US dollars of the most expensive type for the job's maximum time; null if a price is unknown. */
export function quoteOf(
  { instances, maxRunMinutes }: TrainingSettings,
  { pricesUsd }: ResolvedPrices,
): number | null {
  let dearest = 0;
  for (const type of instances.types) {
    const price = pricesUsd[type] ?? null;
    if (price === null) return null;
    dearest = Math.max(dearest, price);
  }
  return costUsd(maxRunMinutes * 60, instances.count, dearest);
}

/** Problem of a quote beyond the cap of the training. */
export function costProblems(
  { maxCostUsd, maxRunMinutes, instances }: TrainingSettings,
  quoteUsd: number | null,
): Problem[] {
  if (maxCostUsd === null || quoteUsd === null || quoteUsd <= maxCostUsd) return [];
  const message =
    `must be at least ${quoteUsd}, is ${maxCostUsd}: ${instances.count} × ${instances.types.join(' or ')} for ` +
    `training.maxRunMinutes ${maxRunMinutes} may cost that much. ` +
    'Raise it, or lower training.maxRunMinutes or training.instances.count, or name smaller types';
  return [settingProblem('maxCostUsd', maxCostUsd, message)];
}

/** Whether the account's quotas have room for the hosts; `quotas` by name, undefined if they could not be read. */
export function judgeQuotas(
  { instances: { types, count }, spot }: TrainingSettings,
  quotas: ReadonlyMap<string, number> | undefined,
): { readonly problems: readonly Problem[]; readonly notes: readonly string[] } {
  if (quotas === undefined)
    return {
      problems: [],
      notes: [
        'the quotas of the instance types could not be read: SageMaker says at the start whether they suffice',
      ],
    };
  const use = spot === null ? 'training job' : 'spot training job';
  const named = types.map((type) => quotaName(type, use));
  const small = named.filter((name) => (quotas.get(name) ?? count) < count);
  const texts = small.map((name) => `${name} is ${quotas.get(name)}`).join(', ');
  if (small.length === 0) return { problems: [], notes: [] };
  if (small.length < types.length)
    return {
      problems: [],
      notes: [`the quota is smaller than ${count} instances, so that these types are passed over: ${texts}`],
    };
  const message =
    `must be within the quotas of the account, is ${count}: ${texts}. Ask for more in Service Quotas, name other types, ` +
    'or lower training.instances.count';
  return { problems: [settingProblem('instances.count', count, message)], notes: [] };
}

/** Notes on spot capacity: cost and interruptions. */
export function spotNotes({ checkpoints }: TrainingSettings): string[] {
  const price =
    'spot capacity is quoted at the on-demand price, which it never exceeds; what is billed is counted when the job has ended';
  return checkpoints
    ? [price]
    : [price, 'training.checkpoints is false: an interrupted spot job begins again'];
}
