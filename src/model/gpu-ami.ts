import { instanceFamily } from './instance-type.ts';

/**
 * Families of NVIDIA GPUs for which SageMaker offers a choice of machine images. Without a choice it may take one whose driver
 * (470) is too old for containers with CUDA 12, and TensorFlow then computes on the CPU without an error.
 */
const BATCH_FAMILIES = new Set(['g4dn', 'g5', 'g6', 'g6e']);
const HOSTING_FAMILIES = new Set([...BATCH_FAMILIES, 'p4d', 'p4de', 'p5', 'p5e', 'p5en']);

/** Driver 535 (`TransformAmiVersion` of CreateTransformJob). */
const BATCH_AMI = 'al2-ami-sagemaker-batch-gpu-535';
/** Driver 535, CUDA 12.2 (`InferenceAmiVersion` of CreateEndpointConfig). */
const HOSTING_AMI = 'al2-ami-sagemaker-inference-gpu-2';

/** Machine image for transform jobs that may run on any of these types; null leaves it to SageMaker. */
export function batchAmi(instanceTypes: readonly string[]): string | null {
  const known = instanceTypes.every((type) => BATCH_FAMILIES.has(instanceFamily(type) ?? ''));
  return known ? BATCH_AMI : null;
}

/** Machine image for the instances of an endpoint; null leaves it to SageMaker. */
export function hostingAmi(instanceType: string): string | null {
  return HOSTING_FAMILIES.has(instanceFamily(instanceType) ?? '') ? HOSTING_AMI : null;
}
