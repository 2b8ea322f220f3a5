/** Deals the keys to the instances in turn; an object belongs to one instance only. */
export function partitionKeys(keys: readonly string[], instances: number): readonly (readonly string[])[] {
  const parts: string[][] = Array.from({ length: instances }, () => []);
  keys.forEach((key, index) => parts[index % instances]?.push(key));
  return parts;
}
