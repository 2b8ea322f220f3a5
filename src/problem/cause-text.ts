import * as z from 'zod';
import { parsedJson } from '../text/parse-json.ts';
import { serviceError } from './service-errors.ts';

const LambdaError = z.object({ errorMessage: z.string() });

/** Why an execution or one of its steps has failed, as Step Functions reports it. */
export const StepFailure = z.object({
  error: z.string(),
  cause: z.string(),
  /** State that the error ended. */
  step: z.string().optional(),
});
/** Such a failure. */
export type StepFailure = Readonly<z.infer<typeof StepFailure>>;

/**
 * The cause of a failure in words. Step Functions hands over a Lambda's error as JSON with a stack trace, of which a person needs the message
 * alone; for errors of its own and of Lambda it says nothing, or nothing that names the step.
 */
export function causeText({ error, cause, step }: StepFailure): string {
  const said = LambdaError.safeParse(parsedJson(cause)).data?.errorMessage ?? cause;
  const meaning = serviceError(error, step)?.meaning;
  if (said === '') return meaning ?? '';
  // Without a step the error may be the execution's own, of which the words tell.
  return meaning === undefined || (step === undefined && error.startsWith('States.'))
    ? said
    : `${meaning}: ${said}`;
}

/** The cause of a failed run, with the container's message for an input if there is one. */
export function causeWithExample({
  cause,
  example,
}: {
  readonly cause: string;
  readonly example?: { readonly key: string; readonly detail: string } | undefined;
}): string {
  return example === undefined ? cause : `${cause}. Of ${example.key}: ${example.detail}`;
}

/** A named failure in a line: its cause alone where that begins with the name, as "Canceled by ann" does. */
export function failureText({ error, cause }: StepFailure): string {
  // eslint-disable-next-line messages/no-logic -- Leaves out a word that is there already, and nothing else.
  return error === '' || cause.startsWith(error) ? cause : `${error}: ${cause}`;
}
