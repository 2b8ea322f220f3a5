import type * as z from 'zod';

/** A use case is called like a function, and carries the schemas of its input and output. */
export interface UseCase<I extends z.ZodType, O extends z.ZodType, S> {
  (input: z.infer<I>, services: S): Promise<z.infer<O>>;
  readonly input: I;
  readonly output: O;
}

/**
 * Declares a use case: its schemas first, then what it does with the services that it is handed. Two calls, because TypeScript
 * would read the answer before it knows the schema in one: `status: 'ended'` would be a string, which no union takes.
 */
export function useCase<I extends z.ZodType, O extends z.ZodType>(schemas: {
  readonly input: I;
  readonly output: O;
}): <S>(run: (input: z.infer<I>, services: S) => Promise<z.infer<O>>) => UseCase<I, O, S> {
  return (run) => Object.assign(run, schemas);
}
