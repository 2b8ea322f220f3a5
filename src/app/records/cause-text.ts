import * as z from 'zod';

const LambdaError = z.object({ errorMessage: z.string() });

/** Step Functions hands over a Lambda's error as JSON with a stack trace; a person needs the message alone. */
export function causeText(cause: string): string {
  try {
    const parsed = LambdaError.safeParse(JSON.parse(cause));
    return parsed.success ? parsed.data.errorMessage : cause;
  } catch (error) {
    if (error instanceof SyntaxError) return cause;
    throw error;
  }
}
