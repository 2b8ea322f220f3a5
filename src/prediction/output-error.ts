import { Condition } from '../problem/conditions.ts';

/** Why one output has no usable prediction; errors.csv contains these words. */
export type OutputErrorReason =
  'unreadable-output' | 'ambiguous-output' | 'wrong-record-count' | 'not-a-number' | 'model-error';

/** One output object cannot be read without guessing. It fails its own input, not the run. */
export class OutputError extends Condition {
  readonly reason: OutputErrorReason;

  constructor(reason: OutputErrorReason, message: string) {
    super('OutputError', message);
    this.reason = reason;
  }
}

/** The model's number of scores isn't the pipeline's number of classes, which invalidates the whole run. */
export class ClassCountMismatch extends Condition {
  constructor(found: number, expected: number) {
    super(
      'ClassCountMismatch',
      `pipeline.json: labels.classes and labels.classOffset together expect ${expected} scores a record, ` +
        `the model's output has ${found}: list one class for each score, in the model's order`,
    );
  }
}
