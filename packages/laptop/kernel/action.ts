import type * as z from 'zod';
import type { Permission } from './permission.ts';
import type { ActionContext } from './service.ts';

/** How a service reads input by a schema; some word what they refuse in their own way. */
export type ParseInput = <T>(schema: z.ZodType<T>, input: unknown) => T;

/** Throws zod's own error; the protocol turns it into an answer. */
export const parseStrictly: ParseInput = (schema, input) => schema.parse(input);

/** One call of a service, as the protocols run it. */
export interface Action<Output = unknown> {
  /** The API's own name. */
  readonly name: string;
  /** Permissions that a role needs. A call without them is refused to every role. */
  readonly permissions: AskedOfRole | undefined;
  /** @throws {z.ZodError} for input that its schema refuses */
  run(input: unknown, context: ActionContext, parse: ParseInput): Promise<Output> | Output;
}

/** The permissions that a call needs; its input has not been checked yet. */
export type AskedOfRole = (input: unknown, action: string) => readonly Permission[];

/**
 * A call in one place: the members that it understands, what it asks of a role, what it does. Those on one kind of
 * resource share a file in `<service>/actions/`.
 */
export function action<Input, Output>(
  name: string,
  call: {
    readonly input: z.ZodType<Input>;
    readonly permissions?: AskedOfRole;
    readonly run: (input: Input, context: ActionContext) => Promise<Output> | Output;
  },
): Action<Output> {
  return {
    name,
    permissions: call.permissions,
    run: (input, context, parse) => call.run(parse(call.input, input), context),
  };
}
