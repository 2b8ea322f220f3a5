interface Lockfile {
  readonly packages: Readonly<Record<string, object>>;
}

export function isInstalled(
  wanted: Lockfile,
  installed: Lockfile,
  options?: { readonly development?: boolean },
): boolean;
