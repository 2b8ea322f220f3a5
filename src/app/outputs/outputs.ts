import type { Plan } from '../../plan/plan.ts';
import type { BatchDependence } from '../../transform/batch-dependence.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import type { ChunkPlace } from '../../transform/manifest-chunk.ts';
import type { WrittenAnswers } from '../../transform/measured-speed.ts';
import type { Progress } from '../../transform/progress.ts';
import type { Answer, Failure } from '../../transform/reconcile-chunk.ts';

/** The answers for a group of inputs. */
export interface FoundAnswers {
  /** Answers by the name of the input. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** Failures of inputs without an answer, by their names, if they lie among the answers. */
  readonly failures: ReadonlyMap<string, Failure>;
  /** The first output that belongs to no input of the run, or not to the inputs that were sent for it. */
  readonly unexplained: string | undefined;
}

/** Bundles of a job that were looked at. */
type Heads = NonNullable<JobRecord['heads']>;

/** Neighboring inputs with answers that are found separately from all others. */
interface InputGroup<Entry> {
  readonly entries: readonly Entry[];
  /** Where the next group begins; undefined after the last. */
  readonly next: ChunkPlace | undefined;
  find(): Promise<FoundAnswers>;
}

/** The fields of the plan that counting answers needs. */
export type CountedPlan = Pick<Plan, 'objects' | 'pilot' | 'jobs'>;

/** The answers of a run, in the place where its engine has left them. Only this port knows their layout. */
export interface Outputs {
  /** Whether there is no place for the answer of an input with this name. */
  isTooLong(name: string): boolean;
  /** Cuts inputs, in their order, into groups of about `size`, from a place between two groups on. */
  groups<Entry extends { readonly name: string }>(
    inputs: AsyncIterable<Entry>,
    size: number,
    from?: ChunkPlace,
  ): AsyncIterable<InputGroup<Entry>>;
  /** Looks the answers of a few inputs up, in their order. */
  lookUp(names: Iterable<string>): AsyncIterable<readonly [string, Answer | undefined]>;
  /** Reads an answer by its place; undefined without a place, and if the answer is gone. */
  read(place: string | undefined): Promise<Uint8Array | undefined>;
  /**
   * Reads the answers of many inputs, in their order, up to `atOnce` at a time, and hands each over; neighbors in a bundle
   * cost one read.
   */
  readEach<Entry extends { readonly output?: string | undefined }>(
    entries: Iterable<Entry>,
    atOnce: number,
    take: (entry: Entry, answer: Uint8Array | undefined) => void,
  ): Promise<void>;
  /** Whether answers depend on the other inputs in a request, by the answers read so far. */
  dependence(): BatchDependence;
  /** Notes of those that answered, for the report, in sentences: looked up in a few bundles. */
  notes(): Promise<readonly string[]>;
  /** Progress: how many inputs have an answer, counted or estimated from a sample. */
  count(job: JobRecord, plan: CountedPlan): Promise<Progress>;
  /**
   * Reads what became of the inputs of a job, in up to `most` of the bundles of answers that `heads` hasn't; the same again
   * if answers have no heads.
   */
  settle(job: Pick<JobRecord, 'input'>, heads: Heads, most: number): Promise<Heads>;
  /** Number and times of all answers so far; undefined before the first answer, and if answers have no times of their own. */
  written(): Promise<WrittenAnswers | undefined>;
  /** Whether a job has left any answer; if its inputs are no neighbors, its sample is looked up. */
  hasAny(job: JobRecord, plan: CountedPlan): Promise<boolean>;
}
