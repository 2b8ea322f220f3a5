/** Codes that `ValidateStateMachineDefinition` documents for errors. */
type ProblemCode =
  | 'INVALID_JSON_DESCRIPTION'
  | 'SCHEMA_VALIDATION_FAILED'
  | 'MISSING_END_STATE'
  | 'MISSING_TRANSITION_TARGET'
  | 'DUPLICATE_STATE_NAME'
  | 'INVALID_STATE_NAME'
  | 'DUPLICATE_LABEL_NAME'
  | 'INVALID_LABEL_NAME';

/** Why a definition is refused, in AWS's words where they are known. */
export interface DefinitionProblem {
  readonly code: ProblemCode;
  readonly message: string;
  /** Absent when it concerns the machine as a whole. */
  readonly state?: string;
  /** Path such as `/States/Fold/ItemProcessor/States/Shard/Retry[0]/BackoffRate`; absent if `state` is. */
  readonly location?: string;
}

/** Where a state stands in its machine. */
export interface StatePlace {
  readonly name: string;
  /** Path such as `/States/Fold/ItemProcessor/States/Shard`. */
  readonly path: string;
}

/** A problem of a state. @param field as in `Retry[0].BackoffRate`; empty for the state itself */
export function problemOf(
  { name, path }: StatePlace,
  field: string,
  message: string,
  code: ProblemCode = 'SCHEMA_VALIDATION_FAILED',
): DefinitionProblem {
  const location = field === '' ? path : `${path}/${field.replaceAll('.', '/')}`;
  return { code, message, state: name, location };
}

/** A problem in AWS's form: `MISSING_TRANSITION_TARGET: Missing 'Next' target: B at /States/A/Next`. */
export function toText({ code, message, location }: DefinitionProblem): string {
  return `${code}: ${message}${location === undefined ? '' : ` at ${location}`}`;
}

/** A definition that the stack would not run as AWS does. */
export class InvalidDefinition extends Error {
  override readonly name = 'InvalidDefinition';
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[]) {
    super(problems.map(toText).join(', '));
    this.problems = problems;
  }
}
