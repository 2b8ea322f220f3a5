import type { Finding } from './finding.ts';

/** AWS's bill for some days, and the application's own figures for its runs. */
export interface CostFacts {
  readonly days: number;
  /** US dollars by the service's name on the bill. */
  readonly billed: ReadonlyMap<string, number>;
  readonly runs: number;
  /** Sum of the runs' own figures, in US dollars. */
  readonly toldUsd: number;
}

const SAGEMAKER = 'Amazon SageMaker';
/** Services besides SageMaker that a run pays for: requests, events, functions and logs. */
const BESIDE = [
  'Amazon Simple Storage Service',
  'AWS Lambda',
  'AWS Step Functions',
  'AmazonCloudWatch',
  'CloudWatch Events',
  'Amazon EventBridge',
  'AWS Key Management Service',
];

/** Whether the bill agrees with the figures of the runs; the account may have other users. */
export function judgeCosts({ days, billed, runs, toldUsd }: CostFacts): Finding {
  const line = (service: string): string => `${service} ${toUsd(billed.get(service) ?? 0)}`;
  const there = BESIDE.filter((service) => (billed.get(service) ?? 0) >= 0.005);
  const answered = `${days} days: ${[SAGEMAKER, ...there].map(line).join(', ')}; ${runs} runs say ${toUsd(toldUsd)} for their instances`;
  const sagemaker = billed.get(SAGEMAKER) ?? 0;
  if (runs === 0)
    return {
      answered,
      verdict: 'ok',
      means: 'No run has ended in these days, so there is nothing to compare.',
    };
  if (sagemaker >= toldUsd * 0.8)
    return {
      answered,
      verdict: 'ok',
      means:
        'The bill covers the figures of the runs. The rest of it is from endpoints and other users of the account.',
    };
  return {
    answered,
    verdict: 'warning',
    means:
      'SageMaker billed less than the runs say: prices of this account are lower, or the bill is not complete yet (it takes a day). Put your prices into pipelines/prices.json.',
  };
}

function toUsd(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
