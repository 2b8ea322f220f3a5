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
  const reader = new NameReader();
  reader.visit(jsonata(source).ast(), false, false);
  return reader.names();
}

/** Walks the syntax tree of one expression. */
class NameReader {
  readonly #bound = new Set<string>();
  readonly #used = new Map<string, boolean>();
  readonly #states = new Set<string>();
  readonly #problems: string[] = [];

  names(): ExpressionNames {
    const free = [...this.#used].filter(([name]) => !this.#bound.has(name));
    const variables = free.map(([name, sure]) => ({ name, sure }));
    return { variables, states: this.#states, problems: this.#problems };
  }

  visit(value: unknown, inContext: boolean, isAsked: boolean): void {
    if (Array.isArray(value)) return value.forEach((item: unknown) => this.visit(item, inContext, isAsked));
    if (!isNode(value)) return;
    bind(value, this.#bound);
    switch (value['type']) {
      case 'variable':
        this.#useVariable(value, inContext, isAsked);
        return this.#visitAll(value, ['stages', 'predicate', 'group'], isAsked);
      case 'path':
        this.#readStates(value);
        steps(value['steps']).forEach((step, index) => this.visit(step, inContext || index > 0, isAsked));
        return this.#visitAll(value, ['group'], isAsked);
      case 'name':
        if (!inContext)
          this.#problems.push(
            `the bare name '${String(value['value'])}' refers to nothing: write $states.input.${String(value['value'])}`,
          );
        return this.#visitAll(value, ['stages', 'predicate', 'group'], isAsked);
      case 'lambda':
        return this.visit(value['body'], true, isAsked);
      case 'function':
      case 'partial': {
        const procedure = value['procedure'];
        this.visit(procedure, inContext, isAsked);
        const asks = isNode(procedure) && procedure['type'] === 'variable' && procedure['value'] === 'exists';
        this.visit(value['arguments'], inContext, isAsked || asks);
        return this.#visitAll(value, ['stages', 'predicate', 'group'], isAsked);
      }
      default:
        for (const [key, member] of Object.entries(value)) {
          this.visit(member, inContext || ['stages', 'predicate', 'terms'].includes(key), isAsked);
        }
    }
  }

  /** Members that are evaluated in the context of the node's own value. */
  #visitAll(node: Node, keys: readonly string[], isAsked: boolean): void {
    for (const key of keys) this.visit(node[key], true, isAsked);
  }

  #useVariable(node: Node, inContext: boolean, isAsked: boolean): void {
    const name = String(node['value']);
    if (name === '$') this.#problems.push('$$ refers to nothing in a state machine: write $states.input');
    else if (name === '' && !inContext)
      this.#problems.push('$ refers to nothing outside a path: write $states.input');
    else if (name === 'eval') this.#problems.push('$eval does not exist in Step Functions');
    else if (name !== '' && name !== 'states')
      this.#used.set(name, (this.#used.get(name) ?? false) || !isAsked);
  }

  #readStates(path: Node): void {
    const [first, second] = steps(path['steps']);
    if (first?.['type'] === 'variable' && first['value'] === 'states' && second)
      this.#states.add(String(second['value']));
  }
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
