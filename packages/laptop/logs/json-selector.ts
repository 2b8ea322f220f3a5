import { AwsError } from '../kernel/aws-error.ts';

/** Says whether a JSON message matches. */
export type JsonSelector = (value: unknown) => boolean;

const COMPARISON = /^\s*\$((?:\.[\w-]+)+)\s*=\s*(?:"((?:[^"\\*]|\\.)*)"|([\w.-]+))\s*$/;

/**
 * Reads what stands between the braces of a JSON filter pattern: `$.path = "text"` or `$.path = 3`, several of them joined by `&&`.
 *
 * @throws {AwsError} `InvalidParameterException`
 */
export function parseJsonSelector(text: string): JsonSelector {
  const parts = text.split(/&&(?=\s*\$\.)/).map((part) => {
    const [, path = '', quoted, bare = ''] = COMPARISON.exec(part) ?? [];
    if (path === '')
      throw new AwsError(
        'InvalidParameterException',
        `filterPattern {${text}}: this stack understands comparisons like $.level = "ERROR", joined by &&`,
      );
    const number = quoted === undefined ? Number(bare) : Number.NaN;
    const wanted = Number.isNaN(number) ? (quoted?.replaceAll(/\\(.)/g, '$1') ?? bare) : number;
    return { steps: path.split('.').slice(1), wanted };
  });
  return (value) => parts.every(({ steps, wanted }) => memberAt(value, steps) === wanted);
}

function memberAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? Reflect.get(inner, step)
        : undefined,
    value,
  );
}
