/** `ml.g4dn.xlarge` → `g4dn`; undefined if the text is not an instance type. */
export function instanceFamily(instanceType: string): string | undefined {
  return /^ml\.([a-z0-9-]+)\.[a-z0-9-]+$/.exec(instanceType)?.[1];
}

/** Whether family and size are spelt as AWS spells them: `ml.g4dn.12xlarge`, and not `ml.g4dn.12xlage`. */
export function isSpeltAsInstanceType(instanceType: string): boolean {
  return /^ml\.[a-z]+\d[a-z0-9-]*\.(?:nano|micro|small|medium|large|\d{0,3}xlarge|metal(?:-\d+xl)?)$/.test(
    instanceType,
  );
}

const CORES: Readonly<Record<string, number>> = { medium: 1, large: 2, xlarge: 4 };

/** vCPUs of an instance by its size, which AWS names alike in all families: 8 for `ml.m5.2xlarge`. */
export function coresOf(instanceType: string): number {
  const size = instanceType.split('.').at(-1) ?? '';
  const times = /^(\d+)xlarge$/.exec(size)?.[1];
  return times === undefined ? (CORES[size] ?? 1) : 4 * Number(times);
}
