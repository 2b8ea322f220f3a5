import { readFileSync } from 'node:fs';
import * as z from 'zod';
import optionalActions from './optional-actions.json' with { type: 'json' };

/**
 * Actions that the handlers of a type list for properties that a resource may have, by type and property: they are not called while
 * no property asks for it. Everything else that a handler lists is taken for called.
 */
const OPTIONAL_ACTIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  optionalActions;

/** Call of CloudFormation to the handler of a resource. */
export type HandlerCall = 'create' | 'update' | 'delete';

const Actions = z.array(z.string());
const File = z.strictObject({
  source: z.string(),
  types: z.record(
    z.string(),
    z.strictObject({
      create: Actions,
      read: Actions.default([]),
      update: Actions.default([]),
      delete: Actions,
      tagging: Actions.default([]),
    }),
  ),
});

let types: z.infer<typeof File>['types'] | undefined;

/**
 * The actions for which CloudFormation uses the rights of its caller when it makes, changes or removes a resource: AWS publishes
 * them with each type, and reads a resource back once it is made or changed. None for a type that is not in the file.
 */
export function handlerActions(
  type: string,
  call: HandlerCall,
  properties: Readonly<Record<string, unknown>>,
): readonly string[] {
  types ??= File.parse(
    JSON.parse(
      readFileSync(
        new URL(import.meta.resolve('#laptop/cloudformation/handlers/handler-permissions.json')),
        'utf8',
      ),
    ),
  ).types;
  const handlers = types[type];
  if (!handlers) return [];
  const listed =
    call === 'delete' ? handlers.delete : [...handlers[call], ...handlers.read, ...handlers.tagging];
  const needless = new Set(
    Object.entries(OPTIONAL_ACTIONS[type] ?? {})
      .filter(([property]) => !has(properties, property.split('.')))
      .flatMap(([, actions]) => actions),
  );
  return [...new Set(listed)].filter((action) => !needless.has(action));
}

/** Whether a property is there, however deep; lists are looked through, and so are both branches of `Fn::If`. */
function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((item) => has(item, [name, ...rest]));
  if (typeof value !== 'object' || value === null) return false;
  const branches: unknown = Reflect.get(value, 'Fn::If');
  if (branches !== undefined) return has(branches, [name, ...rest]);
  return Object.hasOwn(value, name) && has(Reflect.get(value, name), rest);
}
