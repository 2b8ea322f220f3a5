/** The parts of serverless's plugin interface that the project uses. */
export interface ServerlessTools {
  readonly classes: { readonly Error: new (message: string) => Error };
  /** Folder of serverless.yml. */
  readonly serviceDir: string;
  readonly service: {
    readonly provider: {
      readonly stackParameters?: readonly StackParameter[];
      /** Nothing has changed since the last deployment. */
      readonly shouldNotDeploy?: boolean;
    };
    /** `artifactDirectoryName` is the deployment's folder in the deployment bucket. */
    readonly package: { readonly artifactDirectoryName: string };
    /** `artifact` is the function's zip, below `serviceDir` or absolute. */
    readonly functions: Readonly<Record<string, { readonly package: { readonly artifact: string } }>>;
  };
  getProvider(name: 'aws'): ServerlessProvider;
}

export interface StackParameter {
  readonly ParameterKey: string;
  readonly ParameterValue: string;
}

export interface ServerlessProvider {
  readonly naming: { getStackName(): string };
  getRegion(): string;
  getServerlessDeploymentBucketName(): Promise<string>;
}

/** The command's options. */
export interface ServerlessOptions {
  readonly 'aws-profile'?: string;
}

/** The clients of src/aws read the environment; serverless has the same settings in its options. */
export function useSettings(provider: ServerlessProvider, options: ServerlessOptions): void {
  process.env.AWS_REGION = provider.getRegion();
  const profile = options['aws-profile'];
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
}
