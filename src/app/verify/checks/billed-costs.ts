import type { Bill } from '../../../aws/account/billed-costs.ts';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { RunKind } from '../../../run/run-kind.ts';
import { day } from '../../../text/dates.ts';
import { decimal, dollars } from '../../../text/figures.ts';
import { DAY_MS } from '../../../text/milliseconds.ts';
import { newestRuns, pipelinesWithRuns } from '../../records/run-index.ts';
import type { Check } from '../check.ts';
import { costExplorerUsd } from '../estimates.ts';
import { type Finding, ok, warning } from '../finding.ts';

const DAYS = 7;
/** Cap on the runs of a pipeline that are added up, newest first: one page of a listing. */
const RUNS = 1_000;
const REQUESTS = 2;

/** Compares the bill of the last whole days with the figures of runs and trainings. */
export const billedCosts: Check = {
  name: 'billed-costs',
  asks: 'What did AWS bill in the last week, and what do the runs and trainings say?',
  usd: costExplorerUsd(REQUESTS),
  run: async ({ billed, store, stack, clock }) => {
    const end = new Date(Math.floor(clock().getTime() / DAY_MS) * DAY_MS);
    const start = new Date(end.getTime() - DAYS * DAY_MS);
    const bill = await billed({ start: day(start), end: day(end), region: stack.region });
    return judgeCosts(bill, store.bucket, {
      runs: await toldCosts(store, start, end, 'inference'),
      trainings: await toldCosts(store, start, end, 'training'),
    });
  },
};

/** Costs that runs, or trainings, report themselves. */
interface ToldCosts {
  readonly count: number;
  /** Sum of their own figures, in US dollars. */
  readonly usd: number;
}

async function toldCosts(store: ObjectStore, start: Date, end: Date, kind: RunKind): Promise<ToldCosts> {
  let count = 0;
  let usd = 0;
  for (const pipeline of await pipelinesWithRuns(store, kind)) {
    for await (const run of newestRuns(store, kind, pipeline, RUNS)) {
      const endedAt = new Date(run.endedAt);
      if (endedAt < start || endedAt >= end) continue;
      count += 1;
      usd += run.costUsd ?? 0;
    }
  }
  return { count, usd };
}

/** Services besides SageMaker that a run pays for: requests, events, functions and logs. */
const BESIDE = [
  'Amazon SageMaker',
  'Amazon Simple Storage Service',
  'AWS Lambda',
  'AWS Step Functions',
  'Amazon Simple Queue Service',
  'Amazon API Gateway',
  'AmazonCloudWatch',
  'CloudWatch Events',
  'Amazon EventBridge',
  'AWS Key Management Service',
];
/** Bill and figures may differ by the start of instances, which is rounded, and by a job at the edge of the days. */
const LOW = 0.8;
const HIGH = 1.25;

/** Usage types of batch transform and of training, such as `USE1-Tsform:ml.m5.large` and `USE1-Train:ml.m5.large`. */
const USES = [
  { name: 'batch transform', who: 'runs', pattern: /tsform|transform/i },
  { name: 'training', who: 'trainings', pattern: /train/i },
] as const;

/**
 * Whether the bill agrees with the figures of the runs and trainings, in both directions.
 *
 * @param application value of the tag of this stack's resources
 */
export function judgeCosts(
  { services, sagemaker }: Bill,
  application: string,
  told: Readonly<Record<'runs' | 'trainings', ToldCosts>>,
): Finding {
  // As soon as AWS knows the tag, lines of other stacks in the account can be distinguished.
  const isTagged = sagemaker.some((line) => line.application === application);
  const counted = isTagged ? sagemaker.filter((line) => line.application === application) : sagemaker;
  const compared = USES.map(({ name, who, pattern }) => ({
    name,
    who,
    ...told[who],
    billed: counted.filter(({ usageType }) => pattern.test(usageType)).reduce((sum, { usd }) => sum + usd, 0),
  })).filter(({ usd }) => usd > 0);
  const beside = BESIDE.filter((service) => (services.get(service) ?? 0) >= 0.005);
  const answered = [
    `${DAYS} days: ${beside.map((service) => `${service} ${dollars(services.get(service) ?? 0)}`).join(', ') || 'nothing billed'}`,
    ...compared.map(
      ({ name, who, count, usd, billed }) =>
        `${name} ${dollars(billed)}${isTagged ? ' of this stack' : ''} where ${count} ${who} say ${dollars(usd)} ` +
        `(${decimal(billed / usd, 2)} times)`,
    ),
  ].join('; ');
  if (compared.length === 0)
    return ok(
      `${answered}; ${told.runs.count} runs and ${told.trainings.count} trainings, without a cost`,
      'No run or training with a known cost has ended in these days, so there is nothing to compare.',
    );
  if (compared.some(({ billed, usd }) => billed < LOW * usd))
    return warning(
      answered,
      'SageMaker billed less than the figures say: prices of this account are lower, or the bill is not complete yet ' +
        '(it takes a day). Put your prices into pipelines/prices.json.',
    );
  if (compared.some(({ billed, usd }) => billed > HIGH * usd))
    return warning(
      answered,
      isTagged
        ? 'SageMaker billed more than the figures say, so quotes and limits.maxCostUsd are too low: put your prices ' +
            'into pipelines/prices.json.'
        : 'SageMaker billed more than the figures say: others in the account also use it, or the prices here are too ' +
            'low. Activate inferdrop:application as a cost allocation tag to tell them apart, and verify again a day ' +
            'later.',
    );
  return ok(answered, 'The bill agrees with the figures of the runs and trainings.');
}
