/** Tags by key. Values are made to fit SageMaker's alphabet (see `toTagValue` in src/drop/tag-value.ts). */
export type Tags = Readonly<Record<string, string>>;

export interface ModelSpec {
  readonly name: string;
  readonly roleArn: string;
  readonly imageUri: string;
  /** `s3://…/model.tar.gz`. */
  readonly artifactUri: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly vpc?: { readonly subnets: readonly string[]; readonly securityGroups: readonly string[] };
  readonly networkIsolation?: boolean;
  readonly tags?: Tags;
}

export interface ModelDescription {
  readonly name: string;
  readonly arn: string;
  readonly roleArn: string;
  readonly imageUri: string;
  readonly artifactUri: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface TransformJobSpec {
  readonly name: string;
  readonly modelName: string;
  /** `manifest`: the URI of one object in SageMaker's manifest format; `prefix`: everything below the URI. */
  readonly input: { readonly kind: 'manifest' | 'prefix'; readonly uri: string };
  readonly contentType: string;
  readonly splitType: 'None' | 'Line' | 'RecordIO' | 'TFRecord';
  readonly outputUri: string;
  readonly outputKmsKeyArn?: string;
  readonly accept: string;
  readonly assembleWith: 'None' | 'Line';
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly volumeKmsKeyArn?: string;
  /** Per instance. */
  readonly maxConcurrentTransforms: number;
  readonly maxPayloadInMB: number;
  readonly batchStrategy: 'SingleRecord' | 'MultiRecord';
  /** 1..3600. */
  readonly invocationsTimeoutInSeconds: number;
  /** 0..3. */
  readonly invocationsMaxRetries: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly tags?: Tags;
}

export type TransformJobStatus = 'InProgress' | 'Completed' | 'Failed' | 'Stopping' | 'Stopped';

export interface TransformJobDescription {
  readonly name: string;
  readonly arn: string;
  readonly status: TransformJobStatus;
  readonly failureReason?: string;
  readonly modelName: string;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly inputUri: string;
  readonly outputUri: string;
  readonly createdAt: Date;
  /** When the instances were up; billing starts here. */
  readonly startedAt?: Date;
  readonly endedAt?: Date;
}

/**
 * Models and batch transform jobs.
 *
 * Every method rejects with an error named `ResourceInUse`, `ResourceLimitExceeded`, `Throttled`, `NotFound`,
 * `ValidationException`, `AccessDenied`, or else by the name that SageMaker gave. Descriptions of what is not there
 * are `undefined`, though SageMaker answers `ValidationException` for it.
 */
export interface SageMaker {
  describeModel(name: string): Promise<ModelDescription | undefined>;
  /** @throws `ResourceInUse` if the name is taken */
  createModel(model: ModelSpec): Promise<{ readonly arn: string }>;
  /** Deleting what is not there is done already. */
  deleteModel(name: string): Promise<void>;
  /** @throws `ResourceInUse` if the name is taken; `ResourceLimitExceeded`, `Throttled` */
  startTransformJob(job: TransformJobSpec): Promise<{ readonly arn: string }>;
  describeTransformJob(name: string): Promise<TransformJobDescription | undefined>;
  /** Asks the job to stop; a job that has ended or is not there is left as it is. */
  stopTransformJob(name: string): Promise<void>;
  /** Tags of a model or job. */
  tagsOf(arn: string): Promise<Tags>;
}
