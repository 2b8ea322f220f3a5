/** A route's key taken apart. */
export interface RoutePattern {
  /** `ANY` matches every method. */
  readonly method: string;
  readonly segments: readonly Segment[];
}

type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  /** Takes all that is left, at least one segment. */
  | { readonly kind: 'greedy'; readonly name: string };

const KEY = /^(ANY|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\/.*)$/;

/**
 * Reads `POST /predict/{pipeline}`. `$default` has no pattern: it takes what no other route takes.
 *
 * @throws {RangeError} naming what is wrong with the key
 */
export function parseRouteKey(key: string): RoutePattern {
  const [, method = '', path = ''] = KEY.exec(key) ?? [];
  if (method === '')
    throw new RangeError(
      'The provided route key is not formatted properly for HTTP protocol. Format should be "<HTTP METHOD> /<RESOURCE ' +
        `PATH>" or "$default" (is ${key})`,
    );
  const parts = path === '/' ? [] : path.slice(1).split('/');
  const segments = parts.map((part, index): Segment => {
    const variable = /^\{([a-zA-Z0-9._-]+)(\+?)\}$/.exec(part);
    if (!variable) {
      if (/[{}]/.test(part))
        throw new RangeError(`RouteKey ${key}: ${part} must be a whole {variable} or have no braces`);
      return { kind: 'literal', text: part };
    }
    const [, name = '', plus] = variable;
    if (plus === '') return { kind: 'variable', name };
    if (index < parts.length - 1) throw new RangeError(`RouteKey ${key}: {${name}+} must come last`);
    return { kind: 'greedy', name };
  });
  return { method, segments };
}

/** Matches the segments of a path, percent-encoded as on the wire; gives the values of the variables, decoded. */
export function matchSegments(
  pattern: RoutePattern,
  path: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const values: Record<string, string> = {};
  for (const [index, segment] of pattern.segments.entries()) {
    const part = path[index];
    if (part === undefined) return undefined;
    if (segment.kind === 'greedy') {
      values[segment.name] = path.slice(index).map(decodeURIComponent).join('/');
      return values;
    }
    if (segment.kind === 'variable') {
      if (part === '') return undefined;
      values[segment.name] = decodeURIComponent(part);
    } else if (decodeURIComponent(part) !== segment.text) return undefined;
  }
  return path.length === pattern.segments.length ? values : undefined;
}

const RANK = { literal: 0, variable: 1, greedy: 2 } as const;

/** Orders patterns so that the more specific comes first: literals before variables before greedy ones, a method before ANY. */
export function compareSpecificity(a: RoutePattern, b: RoutePattern): number {
  for (let index = 0; index < Math.min(a.segments.length, b.segments.length); index++) {
    const [left, right] = [a.segments[index], b.segments[index]];
    if (left && right && RANK[left.kind] !== RANK[right.kind]) return RANK[left.kind] - RANK[right.kind];
  }
  return Number(a.method === 'ANY') - Number(b.method === 'ANY');
}
