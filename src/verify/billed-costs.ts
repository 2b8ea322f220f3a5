import type { Finding } from './finding.ts';

/** What runs, or trainings, say of themselves. */
export interface ToldCosts {
  readonly count: number;
  /** Sum of their own figures, in US dollars. */
  readonly usd: number;
}

/** AWS's bill for some days, and the application's own figures. */
export interface CostFacts {
  readonly days: number;
  /** US dollars by the service's name on the bill. */
  readonly services: ReadonlyMap<string, number>;
  /** SageMaker's part of the bill by usage type and by the tag of the application, empty where a line has none. */
  readonly sagemaker: readonly {
    readonly usageType: string;
    readonly application: string;
    readonly usd: number;
  }[];
  /** Value of the tag of this stack's resources. */
  readonly application: string;
  readonly runs: ToldCosts;
  readonly trainings: ToldCosts;
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

/** Usage types of batch transform and of training, as `USE1-Tsform:ml.m5.large` and `USE1-Train:ml.m5.large`. */
const USES = [
  { name: 'batch transform', told: 'runs', pattern: /tsform|transform/i },
  { name: 'training', told: 'trainings', pattern: /train/i },
] as const;

/** Whether the bill agrees with the figures of the runs and trainings, in both directions. */
export function judgeCosts(facts: CostFacts): Finding {
  const { days, services, sagemaker, application, runs, trainings } = facts;
  // As soon as AWS knows the tag, the lines of others in the account can be told apart.
  const isTagged = sagemaker.some((line) => line.application === application);
  const counted = isTagged ? sagemaker.filter((line) => line.application === application) : sagemaker;
  const compared = USES.map(({ name, told, pattern }) => ({
    name,
    told: facts[told],
    who: told,
    billed: counted.filter(({ usageType }) => pattern.test(usageType)).reduce((sum, { usd }) => sum + usd, 0),
  })).filter(({ told }) => told.usd > 0);
  const beside = BESIDE.filter((service) => (services.get(service) ?? 0) >= 0.005);
  const answered = [
    `${days} days: ${beside.map((service) => `${service} ${toUsd(services.get(service) ?? 0)}`).join(', ') || 'nothing billed'}`,
    ...compared.map(
      ({ name, told, who, billed }) =>
        `${name} ${toUsd(billed)}${isTagged ? ' of this stack' : ''} where ${told.count} ${who} say ${toUsd(told.usd)} (${(billed / told.usd).toFixed(2)} times)`,
    ),
  ].join('; ');
  if (compared.length === 0)
    return {
      answered: `${answered}; ${runs.count} runs and ${trainings.count} trainings, without a cost`,
      verdict: 'ok',
      means: 'No run or training with a known cost has ended in these days, so there is nothing to compare.',
    };
  if (compared.some(({ billed, told }) => billed < LOW * told.usd))
    return {
      answered,
      verdict: 'warning',
      means:
        'SageMaker billed less than the figures say: prices of this account are lower, or the bill is not complete yet (it takes a day). Put your prices into pipelines/prices.json.',
    };
  if (compared.some(({ billed, told }) => billed > HIGH * told.usd))
    return {
      answered,
      verdict: 'warning',
      means: isTagged
        ? 'SageMaker billed more than the figures say, so quotes and limits.maxCostUsd are too low: put your prices into pipelines/prices.json.'
        : 'SageMaker billed more than the figures say: others in the account use it, too, or the prices here are too low. Activate inferdrop:application as a cost allocation tag to tell them apart, and verify again a day later.',
    };
  return { answered, verdict: 'ok', means: 'The bill agrees with the figures of the runs and trainings.' };
}

function toUsd(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
