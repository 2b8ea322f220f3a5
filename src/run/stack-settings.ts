/** Settings of the stack for every run and training. */
export interface StackSettings {
  readonly region: string;
  /** Buckets besides our own that models and inputs may come from. */
  readonly readBuckets: readonly string[];
  /** The role that its models, or its training jobs, run under. */
  readonly roleArn: string;
  readonly vpc: { readonly subnets: readonly string[]; readonly securityGroups: readonly string[] } | null;
  readonly kmsKeyArn: string | null;
}

/** Those for trainings as well. */
export interface TrainingStack extends StackSettings {
  /** Tags that the stack puts on all that its runs make. */
  readonly resourceTags: Readonly<Record<string, string>>;
}

/** Those for runs as well. */
export interface PlanSettings extends StackSettings {
  /** Cap on the functions at once that predict for a run of engine lambda. */
  readonly predictConcurrency: number;
  /** Memory of each of them, in MB. */
  readonly predictMemoryMB: number;
}
