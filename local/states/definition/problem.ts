export interface DefinitionProblem {
  /** Absent when it concerns the machine as a whole. */
  readonly state?: string;
  readonly message: string;
}

/** A definition that the stack would not run as AWS does. */
export class InvalidDefinition extends Error {
  override readonly name = 'InvalidDefinition';
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[]) {
    super(
      problems
        .map(({ state, message }) => (state === undefined ? message : `State '${state}': ${message}`))
        .join('; '),
    );
    this.problems = problems;
  }
}
