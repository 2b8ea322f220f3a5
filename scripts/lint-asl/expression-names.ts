import jsonata from 'jsonata';

type Node = Readonly<Record<string, unknown>>;

export interface ExpressionNames {
  /** Variables that the expression reads, in order; `sure` is false where it only asks `$exists($x)`. */
  readonly variables: readonly { readonly name: string; readonly sure: boolean }[];
  /** Members of `$states` it reads. */
  readonly states: ReadonlySet<string>;
  /** Constructs without a meaning in a state machine, such as a bare field name. */
  readonly problems: readonly string[];
}

/** Reads the names out of a JSONata expression that parses. */
export function namesIn(source: string): ExpressionNames {
  const ast: unknown = jsonata(source).ast();
  const bound = new Set<string>();
  const used = new Map<string, boolean>();
  const states = new Set<string>();
  const problems: string[] = [];

  const visit = (value: unknown, inContext: boolean, isAsked: boolean): void => {
    if (Array.isArray(value)) return value.forEach((item: unknown) => visit(item, inContext, isAsked));
    if (!isNode(value)) return;
    bind(value, bound);
    switch (value['type']) {
      case 'variable':
        useVariable(value, inContext, isAsked);
        visitAll(value, ['stages', 'predicate', 'group'], true, isAsked);
        return;
      case 'path':
        readStates(value);
        steps(value['steps']).forEach((step, index) => visit(step, inContext || index > 0, isAsked));
        visitAll(value, ['group'], true, isAsked);
        return;
      case 'name':
        if (!inContext)
          problems.push(
            `the bare name '${String(value['value'])}' refers to nothing: write $states.input.${String(value['value'])}`,
          );
        visitAll(value, ['stages', 'predicate', 'group'], true, isAsked);
        return;
      case 'lambda':
        visit(value['body'], true, isAsked);
        return;
      case 'function':
      case 'partial': {
        const procedure = value['procedure'];
        visit(procedure, inContext, isAsked);
        const asks = isNode(procedure) && procedure['type'] === 'variable' && procedure['value'] === 'exists';
        visit(value['arguments'], inContext, isAsked || asks);
        visitAll(value, ['stages', 'predicate', 'group'], true, isAsked);
        return;
      }
      default:
        for (const [key, member] of Object.entries(value)) {
          visit(member, inContext || key === 'stages' || key === 'predicate' || key === 'terms', isAsked);
        }
    }
  };
  const visitAll = (node: Node, keys: readonly string[], inContext: boolean, isAsked: boolean): void => {
    for (const key of keys) visit(node[key], inContext, isAsked);
  };
  const useVariable = (node: Node, inContext: boolean, isAsked: boolean): void => {
    const name = String(node['value']);
    if (name === '$') problems.push('$$ refers to nothing in a state machine: write $states.input');
    else if (name === '' && !inContext)
      problems.push('$ refers to nothing outside a path: write $states.input');
    else if (name === 'eval') problems.push('$eval does not exist in Step Functions');
    else if (name !== '' && name !== 'states') used.set(name, (used.get(name) ?? false) || !isAsked);
  };
  const readStates = (path: Node): void => {
    const [first, second] = steps(path['steps']);
    if (first?.['type'] === 'variable' && first['value'] === 'states' && second)
      states.add(String(second['value']));
  };

  visit(ast, false, false);
  const variables = [...used].filter(([name]) => !bound.has(name)).map(([name, sure]) => ({ name, sure }));
  return { variables, states, problems };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function steps(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Names that the expression itself defines: `$x := …`, parameters of functions, `@$x` and `#$i`. */
function bind(node: Node, bound: Set<string>): void {
  const left = node['lhs'];
  if (node['type'] === 'bind' && isNode(left)) bound.add(String(left['value']));
  if (node['type'] === 'lambda')
    for (const parameter of steps(node['arguments'])) bound.add(String(parameter['value']));
  for (const key of ['focus', 'index']) if (typeof node[key] === 'string') bound.add(node[key]);
  for (const stage of steps(node['stages'])) if (stage['type'] === 'index') bound.add(String(stage['value']));
}

const EXTRA = new Set(['partition', 'range', 'hash', 'parse', 'uuid', 'random']);
const builtins = new Map<string, boolean>();

/** Whether JSONata, or Step Functions, has a function of this name. */
export async function isFunction(name: string): Promise<boolean> {
  if (EXTRA.has(name)) return true;
  const known = builtins.get(name);
  if (known !== undefined) return known;
  const found: unknown = await jsonata(`$${name}`).evaluate(undefined);
  builtins.set(name, found !== undefined);
  return found !== undefined;
}
