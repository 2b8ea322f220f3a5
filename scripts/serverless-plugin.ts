import type { SentParameter } from '../src/deployment/resolve-parameters.ts';
import type { Template } from './template-step.ts';

/** The parts of serverless's plugin interface that the project uses. */
export interface ServerlessTools {
  readonly classes: { readonly Error: new (message: string) => Error };
  /** Folder of serverless.yml. */
  readonly serviceDir: string;
  /** The command as its words. */
  readonly processedInput: { readonly commands: readonly string[] };
  /** Lines that serverless prints after a deployment, by section. */
  readonly serviceOutputs: { clear(): void };
  readonly service: {
    readonly provider: {
      /** The stack's template, whole once serverless has merged `resources` into it. */
      readonly compiledCloudFormationTemplate: Template;
      stackParameters?: readonly SentParameter[];
      stackTags?: Readonly<Record<string, string>>;
      /** Role that CloudFormation uses for the stack. */
      cfnRole?: string;
      /** Nothing has changed since the last deployment. */
      shouldNotDeploy?: boolean;
    };
    /** Section `custom` of serverless.yml. */
    readonly custom: unknown;
    /** Section `resources` of serverless.yml, merged. */
    readonly resources: { readonly Parameters: unknown };
    /** `artifactDirectoryName` is the deployment's folder in the deployment bucket. */
    readonly package: { readonly artifactDirectoryName: string };
    /** `artifact` is the function's zip, below `serviceDir` or absolute. */
    readonly functions: Readonly<Record<string, { readonly package: { readonly artifact: string } }>>;
  };
  getProvider(name: 'aws'): ServerlessProvider;
}

export interface ServerlessProvider {
  readonly naming: { getStackName(): string };
  getRegion(): string;
  getStage(): string;
  getServerlessDeploymentBucketName(): Promise<string>;
}

/** The command's options. */
export interface ServerlessOptions {
  readonly 'aws-profile'?: string;
  readonly region?: string;
  /** Values of `--param`, each `name=value`. */
  readonly param?: readonly string[];
  /** Values of `--tag`, each `KEY=VALUE`. */
  readonly tag?: readonly string[];
  readonly 'cfn-role'?: string;
}

/** The clients of src/aws read the environment; serverless has the same settings in its options. */
export function useSettings(provider: ServerlessProvider, options: ServerlessOptions): void {
  process.env.AWS_REGION = provider.getRegion();
  const profile = options['aws-profile'];
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
}
