/**
 * Whether npm has installed what a lockfile lists: `installed` is its record of the tree, `node_modules/.package-lock.json`.
 * Optional packages may be missing, since they may be for other machines.
 */
export function isInstalled(wanted, installed) {
  const places = new Set([...Object.keys(wanted.packages), ...Object.keys(installed.packages)]);
  places.delete('');
  return [...places].every((place) => {
    const { [place]: want } = wanted.packages;
    const { [place]: have } = installed.packages;
    if (have === undefined) return want.optional === true || want.devOptional === true;
    return want !== undefined && want.version === have.version && want.integrity === have.integrity;
  });
}
