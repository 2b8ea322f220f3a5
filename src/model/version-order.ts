/** Orders versions such as `2.9.1` by their numbers; a missing part counts as 0. */
export function compareVersions(left: string, right: string): number {
  const a = left.split('.').map(Number);
  const b = right.split('.').map(Number);
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The known version nearest to an unknown one: of the same major version where there is one, else the next one below. */
export function nearestVersion(wanted: string, known: readonly string[]): string | undefined {
  const ordered = known.toSorted(compareVersions);
  const below = ordered.findLast((version) => compareVersions(version, wanted) < 0);
  const above = ordered.find((version) => compareVersions(version, wanted) > 0);
  if (below === undefined || above === undefined) return below ?? above;
  const [major = 0, minor = 0, patch = 0] = wanted.split('.').map(Number);
  const distance = (version: string): number => {
    const [otherMajor = 0, otherMinor = 0, otherPatch = 0] = version.split('.').map(Number);
    if (otherMajor !== major) return Infinity;
    return Math.abs(otherMinor - minor) * 1000 + Math.abs(otherPatch - patch);
  };
  return distance(above) < distance(below) ? above : below;
}
