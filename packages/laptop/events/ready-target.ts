import { validationException } from '../kernel/aws-error.ts';
import { jsonOrUndefined } from '../kernel/json.ts';
import { requireKnownTarget } from './dispatcher.ts';
import { parseEventPath } from './event-path.ts';
import { type InputTransformer, parseInputTransformer } from './input-transformer.ts';
import type { Target } from './rule.ts';

/** A target and its input transformation. */
export interface ReadyTarget {
  readonly target: Target;
  /** The text that the target receives. */
  readonly toInput: InputTransformer;
}

/** @throws {AwsError} `ValidationException` for a target of a kind this stack cannot deliver to, or an input that cannot be made */
export function readyTarget(target: Target): ReadyTarget {
  const given = [target.Input, target.InputPath, target.InputTransformer].filter(
    (input) => input !== undefined,
  );
  if (given.length > 1)
    throw validationException(
      `Only one of Input, InputPath, or InputTransformer must be provided for target ${target.Id}.`,
    );
  const deadLetters = target.DeadLetterConfig?.Arn?.split(':')[2];
  if (deadLetters !== undefined && deadLetters !== 'sqs')
    throw validationException(
      `Parameter ${target.DeadLetterConfig?.Arn} is not valid. Reason: ${deadLetters} is not supported as a dead letter resource.`,
    );
  if (target.Input !== undefined && jsonOrUndefined(target.Input) === undefined)
    throw validationException(`JSON syntax error in input for target ${target.Id}.`);
  try {
    requireKnownTarget(target.Arn);
    // Machines have no policies of their own to let a rule in.
    if (target.Arn.split(':')[2] === 'states' && target.RoleArn === undefined)
      throw new Error(`RoleArn is required for target ${target.Arn}.`);
    return { target, toInput: inputOf(target) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw validationException(`Target ${target.Id} is not valid. ${error.message}`);
  }
}

function inputOf({ Input, InputPath, InputTransformer: transformer }: Target): InputTransformer {
  if (Input !== undefined) return () => Input;
  if (transformer) return parseInputTransformer(transformer.InputPathsMap, transformer.InputTemplate);
  if (InputPath !== undefined) {
    const path = parseEventPath(InputPath);
    return (event) => JSON.stringify(path(event) ?? {});
  }
  return (event) => JSON.stringify(event);
}
