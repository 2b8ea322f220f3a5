import { instanceFamily } from './instance-type.ts';

/** Processor of an instance, as image tags and AWS's SDK name it. */
export type Processor = 'cpu' | 'gpu' | 'inf' | 'trn';

/** Facts by which instance types differ; all sizes of a family share them. */
export interface InstanceFamily {
  readonly processor: Processor;
  /** AWS's own ARM cores. Their images have repositories of their own. */
  readonly arm: boolean;
  /** Disks of its own: SageMaker refuses a size and a KMS key for its volume. */
  readonly disks: boolean;
  /** Earns credits while idle: AWS scales no endpoint of them. */
  readonly burstable: boolean;
  /** Whether batch transform takes it: `TransformInstanceType` of CreateTransformJob, botocore 1.44.5. */
  readonly batch: boolean;
  /**
   * Machine image for transform jobs, `TransformAmiVersion`. Its driver (535) is new enough for containers with CUDA 12; SageMaker
   * may choose driver 470, with which TensorFlow silently computes on the CPU. Null: no choice.
   */
  readonly batchImage: string | null;
  /** Machine image for endpoints, `InferenceAmiVersion`, with driver 535 and CUDA 12.2. Null: no choice. */
  readonly hostingImage: string | null;
  /** GPUs of the sizes that have more than one. */
  readonly gpus: Readonly<Record<string, number>>;
}

const ORDINARY: InstanceFamily = {
  processor: 'cpu',
  arm: false,
  disks: false,
  burstable: false,
  batch: true,
  batchImage: null,
  hostingImage: null,
  gpus: {},
};
const BATCH_IMAGE = 'al2-ami-sagemaker-batch-gpu-535';
const HOSTING_IMAGE = 'al2-ami-sagemaker-inference-gpu-2';
const G_WITH_IMAGES = {
  processor: 'gpu',
  disks: true,
  batchImage: BATCH_IMAGE,
  hostingImage: HOSTING_IMAGE,
} as const;
const P = { processor: 'gpu', disks: true, batch: false, gpus: { '24xlarge': 8, '48xlarge': 8 } } as const;

/**
 * Families by their differences from `ORDINARY`: all of SageMaker's enumerations for batch transform, processing, training and
 * hosting, and EC2's fifth generation that none of them lists.
 *
 * @see https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html for GPUs and disks (instance store)
 */
const GROUPS: readonly (readonly [families: string, differs: Partial<InstanceFamily>])[] = [
  ['m4 m5 m6i m7i c4 c5 c6i c7i r6i r7i', {}],
  ['m7i-flex m8i m8i-flex c5n c6in c7i-flex c8i c8i-flex r5 r8i r8i-flex', { batch: false }],
  ['c5a m5a m5n m5zn r5a r5b r5n', { batch: false }],
  ['c5d m5d r5d c5ad m5ad m5dn r5ad r5dn', { disks: true, batch: false }],
  ['t2 t3', { burstable: true, batch: false }],
  ['c6g c6gn c7g c8g m6g m8g r6g r8g', { arm: true, batch: false }],
  ['c6gd m6gd r6gd r7gd', { arm: true, disks: true, batch: false }],
  ['p2', { processor: 'gpu', gpus: { '8xlarge': 8, '16xlarge': 16 } }],
  ['p3', { processor: 'gpu', gpus: { '8xlarge': 4, '16xlarge': 8 } }],
  ['g4dn', { ...G_WITH_IMAGES, gpus: { '12xlarge': 4 } }],
  ['g5 g6 g6e', { ...G_WITH_IMAGES, gpus: { '12xlarge': 4, '24xlarge': 4, '48xlarge': 8 } }],
  ['p4d p4de p5 p5e p5en', { ...P, hostingImage: HOSTING_IMAGE }],
  ['p3dn p6-b200 p6-b300', P],
  ['p6e-gb200', { ...P, gpus: { '36xlarge': 4 } }],
  ['g7e', { ...P, gpus: { '12xlarge': 2, '24xlarge': 4, '48xlarge': 8 } }],
  ['g4ad', { processor: 'gpu', batch: false, gpus: { '8xlarge': 2, '16xlarge': 4 } }],
  // The number of its GPUs is UNCONFIRMED: a copy reserves one.
  ['g7', { processor: 'gpu', batch: false }],
  ['dl1', { disks: true, batch: false }],
  ['inf1', { processor: 'inf', batch: false }],
  ['inf2', { processor: 'inf' }],
  ['trn1', { processor: 'trn', disks: true }],
  ['trn1n trn2', { processor: 'trn', disks: true, batch: false }],
];

/** Every family that is known, by its name: `g4dn`. */
export const INSTANCE_FAMILIES: ReadonlyMap<string, InstanceFamily> = new Map(
  GROUPS.flatMap(([families, differs]) =>
    families.split(' ').map((family) => [family, { ...ORDINARY, ...differs }] as const),
  ),
);

/** Facts about the family of `ml.g6.xlarge`; for a family that AWS adds later, what its name suggests. */
export function familyOf(instanceType: string): InstanceFamily {
  const family = instanceFamily(instanceType) ?? '';
  return INSTANCE_FAMILIES.get(family) ?? guess(family);
}

/** GPUs of `ml.g5.12xlarge`: 4; 1 if a size is not known to have more. */
export function gpusOf(instanceType: string): number {
  return familyOf(instanceType).gpus[instanceType.split('.').at(-1) ?? ''] ?? 1;
}

/** Machine image for transform jobs that may run on any of these types; null leaves it to SageMaker. */
export function batchImage(instanceTypes: readonly string[]): string | null {
  const [image = null, ...others] = new Set(instanceTypes.map((type) => familyOf(type).batchImage));
  return others.length === 0 ? image : null;
}

/** Names of the families with a machine image, for descriptions: `g4dn, g5 and g6`. */
export function familiesWith(image: 'batchImage' | 'hostingImage'): string {
  const names = [...INSTANCE_FAMILIES].filter(([, family]) => family[image] !== null).map(([name]) => name);
  return new Intl.ListFormat('en-GB').format(names);
}

/**
 * Facts of an unknown family by AWS's habits in naming: `g` after the generation for ARM cores, `d` for disks. The processor follows
 * SageMaker's Python SDK 2.257 (`image_uris._processor`). Batch transform is left to SageMaker, except for families that it has never
 * taken.
 */
function guess(family: string): InstanceFamily {
  const arm = /^[cmrtx]\d+g[a-z]*$/.test(family);
  const burstable = /^t\d/.test(family);
  return {
    ...ORDINARY,
    processor: processorOf(family),
    arm,
    disks: /^[cmr]\d+[a-ce-z]*d[a-z]*$/.test(family),
    burstable,
    batch: !arm && !burstable,
  };
}

function processorOf(family: string): Processor {
  if (family.startsWith('inf')) return 'inf';
  if (family.startsWith('trn')) return 'trn';
  return family.startsWith('g') || family.startsWith('p') ? 'gpu' : 'cpu';
}
