/** Deals what was listed to the instances in turn; each belongs to one instance only. */
export function partitionKeys<T>(keys: readonly T[], instances: number): readonly (readonly T[])[] {
  const parts: T[][] = Array.from({ length: instances }, () => []);
  keys.forEach((key, index) => parts[index % instances]?.push(key));
  return parts;
}
