import { isRecord } from '../kernel/json.ts';

/** A name in an expression of a template. */
export interface Reference {
  readonly by: 'Ref' | 'Fn::GetAtt' | 'Fn::Sub' | 'Fn::If' | 'Condition' | 'Fn::FindInMap';
  readonly name: string;
  /** Attribute of `Fn::GetAtt` and `${Name.Attribute}`. */
  readonly attribute?: string;
}

/** All names in an expression, in both branches of each `Fn::If`: CloudFormation also looks at both. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isRecord(value)) return [];
  return [...ownReferences(value), ...Object.values(value).flatMap(referencesIn)];
}

/** Names of resources and parameters that an expression needs. */
export function referencesOf(value: unknown): ReadonlySet<string> {
  const needed = referencesIn(value).filter(({ by }) => ['Ref', 'Fn::GetAtt', 'Fn::Sub'].includes(by));
  return new Set(needed.map(({ name }) => name));
}

function ownReferences(value: Readonly<Record<string, unknown>>): readonly Reference[] {
  const [only, ...others] = Object.entries(value);
  if (!only || others.length > 0) return [];
  const [by, operand] = only;
  switch (by) {
    case 'Ref':
    case 'Condition':
      return typeof operand === 'string' ? [{ by, name: operand }] : [];
    case 'Fn::GetAtt': {
      const [name = '', ...path] = Array.isArray(operand) ? operand.map(String) : String(operand).split('.');
      return [{ by, name, attribute: path.join('.') }];
    }
    case 'Fn::Sub':
      return inText(operand);
    case 'Fn::If':
      return Array.isArray(operand) ? [{ by, name: String(operand[0]) }] : [];
    case 'Fn::FindInMap':
      return Array.isArray(operand) && typeof operand[0] === 'string' ? [{ by, name: operand[0] }] : [];
    default:
      return [];
  }
}

function inText(operand: unknown): readonly Reference[] {
  const [text, variables] = Array.isArray(operand) ? operand : [operand];
  const own = isRecord(variables) ? variables : {};
  return Array.from(String(text).matchAll(/\$\{([^}]*)(\}?)/g), ([, path = '', closed]) =>
    closed ? path : '',
  )
    .filter((path) => path !== '' && !path.startsWith('!') && !Object.hasOwn(own, path))
    .map((path) => {
      const [name = path, ...attribute] = path.split('.');
      return {
        by: 'Fn::Sub',
        name,
        ...(attribute.length > 0 && { attribute: attribute.join('.') }),
      } as const;
    });
}
