/** Letters, digits and single hyphens of a name, for the names of AWS resources; never empty, with a letter or digit at either end. */
export function toAsciiSlug(name: string, longest: number): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-|-$/g, '');
  return plain === '' ? 'x' : plain;
}
