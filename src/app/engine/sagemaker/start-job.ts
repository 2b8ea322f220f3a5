import { Condition } from '../../../problem/conditions.ts';
import { instanceRefusal } from '../../../transform/instance-capacity.ts';

/** A job of SageMaker that is to be started. */
export interface JobToStart<Job> {
  readonly kind: 'training' | 'transform';
  readonly name: string;
  /** Tags by which the job is recognized. */
  readonly tags: Readonly<Record<string, string>>;
  /** Instance types in the order in which they are tried. */
  readonly types: readonly string[];
  /** Index of the first one to try. */
  readonly from: number;
  create(instanceType: string): Promise<unknown>;
  describe(name: string): Promise<Job | undefined>;
  tagsOf(arn: string): Promise<Readonly<Record<string, string>>>;
}

interface StartedJob<Job> {
  /** Undefined if SageMaker does not list it yet. */
  readonly job: Job | undefined;
  readonly instanceType: string;
  /** Index of its type. */
  readonly instance: number;
}

/** Why no instance type could be had. */
export interface StartRefused {
  readonly refusals: readonly string[];
  /** Whether waiting can help. */
  readonly passes: boolean;
}

/**
 * Starts a job on the first instance type with quota to spare that the region has. An existing job of its name with its tags
 * is the one that an earlier call has started.
 *
 * @throws {TransformThrottled} if SageMaker starts too many jobs at once
 * @throws {JobNameTaken} if the job of this name has other tags
 */
export async function startJob<Job extends { readonly arn: string; readonly instanceType: string }>(
  asked: JobToStart<Job>,
): Promise<StartedJob<Job> | StartRefused> {
  const { types, from } = asked;
  const refusals: string[] = [];
  let canPass = false;
  for (const [index, type] of types.entries()) {
    if (index < from) continue;
    const started = await startOn(asked, type);
    if ('refusal' in started) {
      refusals.push(`${type}: ${started.refusal}`);
      canPass ||= started.passes;
      continue;
    }
    const { job } = started;
    const instanceType = job?.instanceType ?? type;
    const instance = types.indexOf(instanceType);
    return { job, instanceType, instance: instance === -1 ? index : instance };
  }
  return { refusals, passes: canPass };
}

async function startOn<Job extends { readonly arn: string }>(asked: JobToStart<Job>, instanceType: string) {
  try {
    await asked.create(instanceType);
    return { job: await asked.describe(asked.name) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'ResourceInUse') return { job: await adopt(asked) };
    if (error.name === 'Throttled')
      throw new Condition('TransformThrottled', error.message, { cause: error });
    const refusal = instanceRefusal(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/**
 * Our names are derived from run and attempt, so a job of this name should be ours: its tags must say so.
 */
async function adopt<Job extends { readonly arn: string }>({
  kind,
  name,
  tags,
  describe,
  tagsOf,
}: JobToStart<Job>): Promise<Job> {
  const job = await describe(name);
  const found: Readonly<Record<string, string | undefined>> = job === undefined ? {} : await tagsOf(job.arn);
  if (job !== undefined && Object.entries(tags).every(([key, value]) => found[key] === value)) return job;
  throw new Condition(
    'JobNameTaken',
    `${kind} job ${name} exists already and its tags are not this run's: run it again with inferdrop rerun`,
  );
}
