/**
 * Whether npm has installed what a lockfile lists: `installed` is its record of the tree, `node_modules/.package-lock.json`.
 * Optional packages may be missing, since they may be for other machines, and without `development` what only tests and checks need.
 */
export function isInstalled(wanted, installed, { development = true } = {}) {
  const places = new Set([...Object.keys(wanted.packages), ...Object.keys(installed.packages)]);
  places.delete('');
  return [...places].every((place) => {
    const { [place]: want } = wanted.packages;
    const { [place]: have } = installed.packages;
    if (have === undefined) return mayBeMissing(want, development);
    return want !== undefined && want.version === have.version && want.integrity === have.integrity;
  });
}

function mayBeMissing({ optional, devOptional, dev }, development) {
  return optional === true || devOptional === true || (dev === true && !development);
}
