import { roundUsd } from './round-usd.ts';
/** Prices of one instance-hour of batch transform and training in US dollars. */
export interface PriceTable {
  /** Day on which the prices were compiled. */
  readonly date: string;
  readonly source: string;
  /** Prices by instance type, in the regions of factor 1. */
  readonly usdPerHour: Readonly<Record<string, number>>;
  readonly regionFactors: Readonly<Record<string, number>>;
}

const TO_32 = 'large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge';
const TO_48 = 'large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge';

/** Families whose sizes cost in proportion to their cores: price of an xlarge, and the sizes that batch transform or training offers. */
const PROPORTIONAL: Readonly<Record<string, readonly [xlargeUsd: number, sizes: string]>> = {
  m4: [0.24, 'xlarge 2xlarge 4xlarge 10xlarge 16xlarge'],
  m5: [0.2304, 'large xlarge 2xlarge 4xlarge 12xlarge 24xlarge'],
  m6i: [0.2304, TO_32],
  m7i: [0.2419, TO_48],
  c4: [0.2388, 'xlarge 2xlarge 4xlarge 8xlarge'],
  c5: [0.204, 'xlarge 2xlarge 4xlarge 9xlarge 18xlarge'],
  c5n: [0.2592, 'xlarge 2xlarge 4xlarge 9xlarge 18xlarge'],
  c6i: [0.204, TO_32],
  c7i: [0.2142, TO_48],
  r6i: [0.3024, TO_32],
  r7i: [0.3175, TO_48],
};

/** Families with accelerators, and the burstable one: every size has a price of its own. */
const SINGLE: Readonly<Record<string, number>> = {
  'ml.p2.xlarge': 1.125,
  'ml.p2.8xlarge': 9,
  'ml.p2.16xlarge': 18,
  'ml.p3.2xlarge': 3.825,
  'ml.p3.8xlarge': 14.688,
  'ml.p3.16xlarge': 28.152,
  'ml.p3dn.24xlarge': 35.894,
  'ml.p4d.24xlarge': 37.688,
  'ml.p4de.24xlarge': 47.11,
  'ml.p5.48xlarge': 113.068,
  'ml.g4dn.xlarge': 0.7364,
  'ml.g4dn.2xlarge': 0.94,
  'ml.g4dn.4xlarge': 1.505,
  'ml.g4dn.8xlarge': 2.72,
  'ml.g4dn.12xlarge': 4.89,
  'ml.g4dn.16xlarge': 5.44,
  'ml.g5.xlarge': 1.408,
  'ml.g5.2xlarge': 1.515,
  'ml.g5.4xlarge': 2.03,
  'ml.g5.8xlarge': 3.06,
  'ml.g5.12xlarge': 7.09,
  'ml.g5.16xlarge': 5.12,
  'ml.g5.24xlarge': 10.18,
  'ml.g5.48xlarge': 20.36,
  'ml.g6.xlarge': 1.127,
  'ml.g6.2xlarge': 1.222,
  'ml.g6.4xlarge': 1.654,
  'ml.g6.8xlarge': 2.518,
  'ml.g6.12xlarge': 5.752,
  'ml.g6.16xlarge': 4.246,
  'ml.g6.24xlarge': 8.344,
  'ml.g6.48xlarge': 16.688,
  'ml.g6e.xlarge': 2.326,
  'ml.g6e.2xlarge': 2.803,
  'ml.g6e.4xlarge': 3.755,
  'ml.g6e.8xlarge': 5.661,
  'ml.g6e.12xlarge': 13.116,
  'ml.g6e.16xlarge': 9.472,
  'ml.g6e.24xlarge': 18.832,
  'ml.g6e.48xlarge': 37.664,
  'ml.inf2.xlarge': 0.99,
  'ml.inf2.8xlarge': 2.36,
  'ml.inf2.24xlarge': 7.79,
  'ml.inf2.48xlarge': 15.58,
  'ml.t3.medium': 0.05,
  'ml.t3.large': 0.1,
  'ml.t3.xlarge': 0.2,
  'ml.t3.2xlarge': 0.399,
  'ml.trn1.32xlarge': 28.497,
};

/**
 * On-demand prices, for quotes and for the enforcement of limits.maxCostUsd.
 *
 * Compiled by hand from public quotes of us-east-1, not read from AWS's price list; m7i, c7i, r6i, r7i and g6e are EC2's price times the
 * surcharge of SageMaker on the neighbouring families (1.2 and 1.25); those of p4d, p4de and p5 are from before AWS lowered them in 2025,
 * so that a cap holds. Spot capacity costs at most the on-demand price. Other regions are us-east-1 times the ratio of the m5 family there,
 * rounded up. `pipelines/prices.json` overrides all of it.
 */
export const priceTable: PriceTable = {
  date: '2026-11-21',
  source: 'public on-demand quotes for SageMaker in us-east-1, https://aws.amazon.com/sagemaker/pricing/',
  usdPerHour: { ...proportionalPrices(), ...SINGLE },
  regionFactors: {
    'us-east-1': 1,
    'us-east-2': 1,
    'us-west-2': 1,
    'us-west-1': 1.17,
    'ca-central-1': 1.12,
    'eu-north-1': 1.07,
    'eu-west-1': 1.12,
    'eu-west-2': 1.16,
    'eu-west-3': 1.17,
    'eu-central-1': 1.2,
    'eu-central-2': 1.32,
    'eu-south-1': 1.17,
    'eu-south-2': 1.12,
    'ap-south-1': 1.06,
    'ap-northeast-1': 1.3,
    'ap-northeast-2': 1.23,
    'ap-northeast-3': 1.3,
    'ap-southeast-1': 1.25,
    'ap-southeast-2': 1.25,
    'ap-southeast-3': 1.25,
    'ap-east-1': 1.38,
    'me-south-1': 1.23,
    'me-central-1': 1.23,
    'il-central-1': 1.23,
    'af-south-1': 1.33,
    'sa-east-1': 1.6,
    'us-gov-west-1': 1.27,
    'us-gov-east-1': 1.27,
  },
};

function proportionalPrices(): Record<string, number> {
  const prices: Record<string, number> = {};
  for (const [family, [xlargeUsd, sizes]] of Object.entries(PROPORTIONAL)) {
    for (const size of sizes.split(' ')) {
      const xlarges = size === 'large' ? 0.5 : Number(size.replace('xlarge', '') || 1);
      prices[`ml.${family}.${size}`] = roundUsd(xlargeUsd * xlarges);
    }
  }
  return prices;
}
