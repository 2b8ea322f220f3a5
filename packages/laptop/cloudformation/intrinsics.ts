import { AwsError, validationError } from '../kernel/aws-error.ts';
import { isRecord } from '../kernel/json.ts';
import type { Site } from '../kernel/service.ts';
import type { ParameterValue } from './parameters.ts';
import type { AppliedResource } from './resource-type.ts';
import type { Template } from './template.ts';

/** Values that expressions are resolved against. */
export interface Scope {
  readonly template: Template;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  /** Resources made so far. */
  readonly resources: ReadonlyMap<string, AppliedResource>;
  /** Before anything is made: placeholder text for a resource, or for its attribute such as `Bucket.Arn`. */
  readonly foreseen?: (path: string) => string;
  readonly stackName: string;
  readonly stackId: string;
  readonly site: Site;
}

/** The value of `AWS::NoValue`: the member that has it disappears. */
const NO_VALUE = Symbol('AWS::NoValue');

/**
 * Replaces every intrinsic function in `value`.
 *
 * @throws {AwsError} `ValidationError` for a function that this stack does not know, or a reference to nothing
 */
export function resolveValue(value: unknown, scope: Scope): unknown {
  const resolved = evaluate(value, scope);
  return resolved === NO_VALUE ? undefined : resolved;
}

/** Whether a named condition of the template holds. */
export function holds(condition: string, scope: Scope): boolean {
  if (!Object.hasOwn(scope.template.Conditions, condition))
    throw invalid(`Condition ${condition} is not declared in the template`);
  return truth(evaluate(scope.template.Conditions[condition], scope), condition);
}

type Operand = readonly unknown[];

const FUNCTIONS: Readonly<Record<string, (operand: unknown, scope: Scope) => unknown>> = {
  Ref: (operand, scope) => reference(String(operand), scope),
  Condition: (operand, scope) => holds(String(operand), scope),
  'Fn::GetAtt': (operand, scope) => {
    const [id = '', ...path] = Array.isArray(operand) ? operand.map(String) : String(operand).split('.');
    return attribute(id, path.join('.'), scope);
  },
  'Fn::Sub': substitute,
  'Fn::Join': (operand, scope) => {
    const [delimiter, parts] = list(operand, 2, 'Fn::Join');
    const resolved = evaluate(parts, scope);
    if (!Array.isArray(resolved)) throw invalid(`Fn::Join needs a list, is ${JSON.stringify(resolved)}`);
    return resolved
      .filter((part) => part !== NO_VALUE)
      .map(scalar)
      .join(String(delimiter));
  },
  'Fn::Split': (operand, scope) => {
    const [delimiter, text] = list(operand, 2, 'Fn::Split');
    return scalar(evaluate(text, scope)).split(String(delimiter));
  },
  'Fn::Select': (operand, scope) => {
    const [index, items] = list(operand, 2, 'Fn::Select');
    const resolved = evaluate(items, scope);
    const chosen: unknown = Array.isArray(resolved) ? resolved[Number(evaluate(index, scope))] : undefined;
    if (chosen === undefined) throw invalid(`Fn::Select has no item ${String(index)}`);
    return chosen;
  },
  'Fn::If': (operand, scope) => {
    const [condition, yes, no] = list(operand, 3, 'Fn::If');
    return evaluate(holds(String(condition), scope) ? yes : no, scope);
  },
  'Fn::Equals': (operand, scope) => {
    const [left, right] = list(operand, 2, 'Fn::Equals');
    return scalar(evaluate(left, scope)) === scalar(evaluate(right, scope));
  },
  'Fn::Not': (operand, scope) => !truth(evaluate(list(operand, 1, 'Fn::Not')[0], scope), 'Fn::Not'),
  'Fn::And': (operand, scope) => conditions(operand).every((part) => truth(evaluate(part, scope), 'Fn::And')),
  'Fn::Or': (operand, scope) => conditions(operand).some((part) => truth(evaluate(part, scope), 'Fn::Or')),
  'Fn::FindInMap': (operand, scope) => {
    const [map, first, second] = list(operand, 3, 'Fn::FindInMap').map((part) =>
      scalar(evaluate(part, scope)),
    );
    const found = scope.template.Mappings[map ?? '']?.[first ?? '']?.[second ?? ''];
    if (found === undefined) throw invalid(`Fn::FindInMap finds nothing at ${map}.${first}.${second}`);
    return found;
  },
  'Fn::Base64': (operand, scope) => Buffer.from(scalar(evaluate(operand, scope))).toString('base64'),
};

function evaluate(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value))
    return value.map((item) => evaluate(item, scope)).filter((item) => item !== NO_VALUE);
  if (!isRecord(value)) return value;
  const [only, ...others] = Object.entries(value);
  if (only && others.length === 0) {
    const [name, operand] = only;
    // `Condition` is also an ordinary member (IAM); only a name of a condition is a function.
    const isFunction = name !== 'Condition' || typeof operand === 'string';
    const known = isFunction && Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (known) return known(operand, scope);
    if (name.startsWith('Fn::'))
      throw invalid(`${name} is not known to the local stack; it knows ${Object.keys(FUNCTIONS).join(', ')}`);
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, evaluate(inner, scope)] as const)
      .filter(([, inner]) => inner !== NO_VALUE),
  );
}

function reference(name: string, scope: Scope): unknown {
  const pseudo = pseudoParameter(name, scope);
  if (pseudo !== undefined) return pseudo;
  const parameter = scope.parameters.get(name);
  if (parameter !== undefined) return parameter;
  const resource = scope.resources.get(name);
  if (resource) return resource.ref;
  if (scope.foreseen) return scope.foreseen(name);
  throw invalid(`Unresolved reference ${name}: no parameter and no resource of that name has been made`);
}

function pseudoParameter(name: string, { site, stackName, stackId }: Scope): unknown {
  switch (name) {
    case 'AWS::AccountId':
      return site.account;
    case 'AWS::Region':
      return site.region;
    case 'AWS::Partition':
      return site.partition;
    case 'AWS::StackName':
      return stackName;
    case 'AWS::StackId':
      return stackId;
    case 'AWS::URLSuffix':
      return 'amazonaws.com';
    case 'AWS::NoValue':
      return NO_VALUE;
    default:
      return undefined;
  }
}

function attribute(id: string, name: string, scope: Scope): unknown {
  const made = scope.resources.get(id);
  if (!made && scope.foreseen) return scope.foreseen(`${id}.${name}`);
  const value = made?.attributes[name];
  if (value === undefined) throw invalid(`Resource ${id} has no attribute ${name} on this stack`);
  return value;
}

function substitute(operand: unknown, scope: Scope): string {
  const [template, variables] = Array.isArray(operand) ? operand : [operand, {}];
  const own = isRecord(variables) ? variables : {};
  return String(template).replace(/\$\{([^}]*)(\}?)/g, (whole, name: string, closed: string) => {
    if (closed === '' || name === '') return whole;
    if (name.startsWith('!') && name !== '!') return `\${${name.slice(1)}}`;
    if (Object.hasOwn(own, name)) return scalar(evaluate(own[name], scope));
    const [id = name, ...path] = name.split('.');
    return scalar(path.length > 0 ? attribute(id, path.join('.'), scope) : reference(name, scope));
  });
}

function list(operand: unknown, length: number, name: string): Operand {
  if (Array.isArray(operand) && operand.length === length) return operand;
  throw invalid(`${name} takes a list of ${length}, is ${JSON.stringify(operand)}`);
}

function conditions(operand: unknown): Operand {
  if (Array.isArray(operand)) return operand;
  throw invalid(`Fn::And and Fn::Or take a list, is ${JSON.stringify(operand)}`);
}

function truth(value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid(`${where} must be a condition, is ${JSON.stringify(value)}`);
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid(`expected text, is ${JSON.stringify(value) ?? 'nothing'}`);
}

function invalid(message: string): AwsError {
  return validationError(`Template error: ${message}`);
}
