import * as z from 'zod';

const SIZES: Readonly<Record<string, string>> = {
  m4: 'xlarge 2xlarge 4xlarge 10xlarge 16xlarge',
  c4: 'xlarge 2xlarge 4xlarge 8xlarge',
  p2: 'xlarge 8xlarge 16xlarge',
  p3: '2xlarge 8xlarge 16xlarge',
  c5: 'xlarge 2xlarge 4xlarge 9xlarge 18xlarge',
  m5: 'large xlarge 2xlarge 4xlarge 12xlarge 24xlarge',
  m6i: 'large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge',
  c6i: 'large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge',
  r6i: 'large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge',
  m7i: 'large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge',
  c7i: 'large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge',
  r7i: 'large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge',
  g4dn: 'xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge',
  g5: 'xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge',
  trn1: '2xlarge 32xlarge',
  inf2: 'xlarge 8xlarge 24xlarge 48xlarge',
  g6: 'xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge',
  g6e: 'xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge',
};

/** The API's enumeration for batch transform: no `t`, `p4` or `p5` family. */
export const TransformInstanceType = z.enum(
  Object.entries(SIZES).flatMap(([family, sizes]) => sizes.split(' ').map((size) => `ml.${family}.${size}`)),
);
