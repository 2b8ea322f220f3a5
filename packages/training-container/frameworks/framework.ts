import type { EngineName } from '@inferdrop/model-container/internal/engine-environment';

/** Facts about a framework's training container, next to the toolkit that starts the scripts of all of them. */
export interface Framework {
  /** Name for people. */
  readonly title: string;
  /** Repositories of AWS's images. */
  readonly repositories: readonly string[];
  /** Names under which the framework is published for Python; the first that is there counts. */
  readonly packages: readonly string[];
  /** `SAGEMAKER_TRAINING_MODULE` of the images. */
  readonly module: string;
  /** Environment on this machine that runs its jobs with MPI, if it's installed, instead of the framework's own. */
  readonly mpiEngine?: EngineName;
  /** Distributions of the SDK, by hyperparameter, that its container does not have, and why. */
  readonly missing: Readonly<Record<string, string>>;
  /** Distributions to use instead of a refused one. */
  readonly instead: string;
  /** Error classes that its toolkit looks for after the one of all toolkits, in this order. */
  readonly errors: readonly string[];
  /** Last words of a script that exited in a way the container counts as success. */
  readonly ignoredAbort?: string;
  /** Variables that its container sets for a script. */
  variables(job: ScriptSurroundings): Readonly<Record<string, string>>;
  /** An older version of a part of it, published as a package of its own. */
  readonly legacy?: LegacyPart;
}

/** Facts about a job that a container's variables depend on. */
interface ScriptSurroundings {
  /** Variables of the job. */
  readonly environment: Readonly<Record<string, string>>;
  readonly networkInterface: string;
}

/** Part of a framework that changed between versions, and the package that brings its older version next to the newer one. */
interface LegacyPart {
  readonly package: string;
  /** Words of the log's line on the runtime, after a comma. */
  readonly remark: string;
  /** Variables that put the older part in place where the image asks for it and the installed version has the newer one. */
  variables(versions: {
    readonly asked: string | undefined;
    readonly found: string | undefined;
  }): Readonly<Record<string, string>>;
}
