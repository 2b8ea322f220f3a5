/** Names of the parts. */
export type PartName = 'onnxruntime' | 'node' | 'osls';

interface Part {
  /** Name of the package, or of the program. */
  readonly package: string;
  /** What it is needed for, after the name. */
  readonly does: string;
  readonly size: string;
  /** Folder of its lockfile in a checkout. */
  readonly checkout: string;
}

export const PARTS: Readonly<Record<PartName, Part>>;
export function cacheFolder(environment?: NodeJS.ProcessEnv): string;
export function findPart(name: PartName, root: string): string | undefined;
export function installPart(name: PartName, root: string, tell?: (line: string) => void): string;
export function lockedPackage(
  name: PartName,
  root: string,
): { readonly version: string; readonly integrity: string };
export function partNode(root: string, tell?: (line: string) => void): string | undefined;
export function titleOf(name: PartName, root: string): string;
/** The npm to start: the one that runs this script, or the one on the path. */
export function npm(...args: readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
  readonly shell: boolean;
};
