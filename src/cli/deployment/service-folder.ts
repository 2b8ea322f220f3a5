import { ROOT } from '../root-folder.ts';

/** A folder from which osls deploys. */
export interface ServiceFolder {
  readonly folder: string;
  /** Variables that its serverless.yml reads. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gives the folder back. */
  close(): Promise<void>;
}

/** The checkout, which bundles the functions when it deploys. */
export function openServiceFolder(): Promise<ServiceFolder> {
  return Promise.resolve({ folder: ROOT, environment: {}, close: () => Promise.resolve() });
}
