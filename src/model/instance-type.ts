/** `ml.g4dn.xlarge` → `g4dn`; undefined where the text is not an instance type. */
export function instanceFamily(instanceType: string): string | undefined {
  return /^ml\.([a-z0-9-]+)\.[a-z0-9-]+$/.exec(instanceType)?.[1];
}

/** Whether family and size are spelt as AWS spells them: `ml.g4dn.12xlarge`, and not `ml.g4dn.12xlage`. */
export function isSpeltAsInstanceType(instanceType: string): boolean {
  return /^ml\.[a-z]+\d[a-z0-9-]*\.(?:nano|micro|small|medium|large|\d{0,3}xlarge|metal(?:-\d+xl)?)$/.test(
    instanceType,
  );
}

/** Processor of an instance, as image tags and AWS's SDK name it. */
export type Processor = 'cpu' | 'gpu' | 'inf' | 'trn';

/** The rule of SageMaker's Python SDK 2.257 (`image_uris._processor`). */
export function processorOf(family: string): Processor {
  if (family.startsWith('inf')) return 'inf';
  if (family.startsWith('trn')) return 'trn';
  return family.startsWith('g') || family.startsWith('p') ? 'gpu' : 'cpu';
}

/** Families with AWS's own ARM cores, whose images have repositories of their own: c6g, m7gd, t4g, … */
export function isGraviton(family: string): boolean {
  return /^[cmrtx]\d+g[a-z]*$/.test(family);
}

/**
 * Families with local disks, whose volumes take no KMS key.
 *
 * @see https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html
 */
export function hasLocalDisks(family: string): boolean {
  return /^(dl1|g4dn|g5|g6e?|g7e|p3dn|p4de?|p5(en?)?|p6-b[23]00|p6e-gb200|trn1n?|trn2|[cmr]\d+[a-ce-z]*d[a-z]*)$/.test(
    family,
  );
}

/**
 * Families that SageMaker has, but not for batch transform (`TransformInstanceType` of CreateTransformJob). Families that it may
 * get later are not refused.
 */
export function isWithoutBatchTransform(family: string): boolean {
  return (
    isGraviton(family) || /^(t\d[a-z]*|p[456][a-z]*(-[a-z0-9]+)?|inf1|[cmr]5[a-z]+|r5|g4ad)$/.test(family)
  );
}
