/** Order to a keeper to start a process. Variables hold credentials, so that they travel in a message and not on a command line. */
export interface ProcessOrder {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** To the keeper: first what it starts, then signals for its group. */
export type KeeperOrder =
  | ({ readonly kind: 'start' } & ProcessOrder)
  | { readonly kind: 'signal'; readonly name: 'SIGTERM' | 'SIGKILL' };

/** From the keeper: how its program ended. */
export type KeeperReport =
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: 'not-started'; readonly message: string };
