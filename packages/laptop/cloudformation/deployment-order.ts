import { validationError } from '../kernel/aws-error.ts';
import { referencesOf } from './references.ts';
import type { Template } from './template.ts';

/**
 * Logical ids so that each comes after all it refers to, else in the template's order.
 *
 * @throws {AwsError} `ValidationError` naming the members of a cycle
 */
export function deploymentOrder(resources: Template['Resources']): readonly string[] {
  const needs = new Map(
    Object.entries(resources).map(([id, { Properties, DependsOn }]) => {
      const found = [...referencesOf(Properties), ...DependsOn].filter((other) =>
        Object.hasOwn(resources, other),
      );
      return [id, new Set(found)] as const;
    }),
  );
  const order: string[] = [];
  const path: string[] = [];
  const done = new Set<string>();
  const visit = (id: string): void => {
    if (done.has(id)) return;
    if (path.includes(id)) {
      const cycle = path.slice(path.indexOf(id));
      throw validationError(`Circular dependency between resources: [${cycle.join(', ')}]`);
    }
    path.push(id);
    needs.get(id)?.forEach(visit);
    path.pop();
    done.add(id);
    order.push(id);
  };
  Object.keys(resources).forEach(visit);
  return order;
}
