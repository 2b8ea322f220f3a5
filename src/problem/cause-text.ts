import * as z from 'zod';
import { parsedJson } from '../text/parsed-json.ts';

const LambdaError = z.object({ errorMessage: z.string() });

/** Step Functions hands over a Lambda's error as JSON with a stack trace; a person needs the message alone. */
export function causeText(cause: string): string {
  return LambdaError.safeParse(parsedJson(cause)).data?.errorMessage ?? cause;
}

/** A named failure in a line: its cause alone where that begins with the name, as "Cancelled by ann" does. */
export function failureText({ error, cause }: { readonly error: string; readonly cause: string }): string {
  return error === '' || cause.startsWith(error) ? cause : `${error}: ${cause}`;
}
