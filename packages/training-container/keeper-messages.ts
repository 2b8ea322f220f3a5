/** To the keeper: what it starts. Variables hold credentials, so that they travel here and not on a command line. */
export interface KeeperOrder {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** From the keeper: how its program ended. */
export type KeeperReport =
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: 'not-started'; readonly message: string };
