import type { ImageRow } from '../model/image-registry.ts';
import type { Framework } from './framework-name.ts';

/** The hardware that an image was built for. */
export type ImageScope = 'inference' | 'graviton' | 'eia';

/** The transform settings that a container must support. */
export interface ContainerWork {
  readonly frameworkVersion: string;
  readonly invocationsTimeoutInSeconds: number;
  readonly maxPayloadInMB: number;
}

/** Settings that decide whether a container calls the handler for bundles. */
export interface AskedForBundles {
  readonly frameworkVersion: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Facts of a framework that need no archive, such as AWS's containers that serve its models. */
export interface FrameworkFacts {
  readonly images: Readonly<Record<ImageScope, readonly ImageRow[]>>;
  /** The framework of these containers. */
  readonly containerOf: Framework;
  /**
   * Day until which AWS patches each minor version; versions older than the first were not patched after its day.
   *
   * @see https://aws.github.io/deep-learning-containers/reference/support_policy
   */
  readonly patchedUntil: Readonly<Record<string, string>>;
  /** The first version for which the GPU of p2 is too old. */
  readonly firstBeyondP2: string;
  /** Environment variables that raise a container's own limits to the settings. */
  limits(work: ContainerWork): Record<string, string>;
  /** Why its containers would not call the handler for bundles. */
  whyNoBundles(asked: AskedForBundles): string | undefined;
  /** Packages that pip installs in the container for any archive, or null. */
  readonly installs: string | null;
  /** Whether functions run its models and also scripts; if they can't run its models, how to make models that they run. */
  readonly inFunctions: { readonly runsScripts: boolean } | { readonly remedy: string };
}
