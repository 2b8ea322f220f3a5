const TAR = /\.(?:tar|tar\.gz|tgz)$/i;

/** Whether a file is a tar by its name. Its members are inputs of their own. */
export function isTar(name: string): boolean {
  return TAR.test(name);
}

/** A name without the extension of a tar. */
export function withoutTar(name: string): string {
  return name.replace(TAR, '');
}
