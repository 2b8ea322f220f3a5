import { type Input, objectOf } from '../input/input.ts';
import { type Exclusion, exclusionDetail, exclusionOf, type SendLimits } from './exclusion.ts';

/** An object of a listing, with the fields that identify its version. */
export interface CurrentInput {
  readonly etag: string;
  readonly lastModified: Date;
}

/** Where an answer lies, and its length. */
export interface Answer {
  readonly key: string;
  readonly bytes: number;
  /** True if the run that this one continues has left it. */
  readonly isEarlier?: true;
}

/** Why an input has no answer. */
export interface Failure {
  /** Words of the model. */
  readonly why: string;
  /** Whether the input was refused on its own, so that it would be again. */
  readonly isCertain: boolean;
}

/** The objects that now exist for a chunk of inputs. */
export interface ChunkListing {
  /** Answers by the name of the input. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** Failures of inputs without an answer, by their names. */
  readonly failures: ReadonlyMap<string, Failure>;
  /** Objects that the inputs are, or lie in, by key. */
  readonly objects: ReadonlyMap<string, CurrentInput>;
}

/** Facts that hold for every chunk of a run. */
export interface ReconcileContext extends SendLimits {
  /** The plan's job of an input. */
  readonly partOf: (entry: Input) => number;
  /** The last job that was attempted; inputs of later jobs were not. */
  readonly lastPart: number;
}

/** One input with its output, or the reason for not having one. */
export interface Reconciled {
  readonly entry: Input;
  /** Whether the run's own jobs have left an output, even if the content has changed since. */
  readonly isWritten: boolean;
  readonly output?: Answer;
  readonly error?: Exclusion | 'superseded' | 'deleted' | 'model-error' | 'not-attempted';
  readonly detail?: string;
  /** Absent unless a further job would also be refused the input. */
  readonly certain?: true;
}

/** Compares a chunk of the manifest with the objects that now exist: its answers, and inputs that changed meanwhile. */
export function reconcileChunk(
  entries: readonly Input[],
  listing: ChunkListing,
  context: ReconcileContext,
): Reconciled[] {
  return entries.map((entry) => {
    const answer = listing.answers.get(entry.name);
    const isWritten = answer !== undefined && answer.isEarlier !== true;
    return { ...reconcileInput(entry, answer, listing, context), isWritten };
  });
}

function reconcileInput(
  entry: Input,
  output: Answer | undefined,
  listing: Pick<ChunkListing, 'failures' | 'objects'>,
  { partOf, lastPart, ...limits }: ReconcileContext,
): Omit<Reconciled, 'isWritten'> {
  const excluded = exclusionOf(entry, limits);
  if (excluded !== undefined) {
    const detail = exclusionDetail(excluded, entry, limits);
    return { entry, error: excluded, detail };
  }
  const object = objectOf(entry);
  const current = listing.objects.get(object.key);
  const what = entry.member === undefined ? 'the object' : object.key;
  if (current === undefined)
    return { entry, error: 'deleted', detail: `${what} was deleted after the manifest was frozen` };
  // The same bytes uploaded again are another version, which the next generation has too; their prediction is still valid.
  if (current.etag !== object.etag) {
    const detail = `${what} was overwritten after the manifest was frozen; the next generation has it`;
    return { entry, error: 'superseded', detail };
  }
  if (output !== undefined) return { entry, output };
  if (partOf(entry) > lastPart) return { entry, error: 'not-attempted' };
  const { why, isCertain = false } = listing.failures.get(entry.name) ?? {};
  return {
    entry,
    error: 'model-error',
    ...(why !== undefined && { detail: why }),
    ...(isCertain && { certain: true }),
  };
}
