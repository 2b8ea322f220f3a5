/**
 * Path of an object below an input's URI. Relative to `images/` is what follows it; to `images`, what follows the slash after it; and
 * where the URI is the whole key or a part of a name, the key from the URI's last slash on.
 */
export function relativeTo(prefix: string, key: string): string {
  const rest = key.slice(prefix.length);
  if (prefix === '' || prefix.endsWith('/')) return rest;
  if (rest.startsWith('/')) return rest.slice(1);
  return key.slice(prefix.lastIndexOf('/') + 1);
}
