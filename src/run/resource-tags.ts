import { Condition } from '../problem/conditions.ts';
import { toTagValue } from '../text/tag-value.ts';

/** Tags that one resource of SageMaker may have. */
export const MAX_TAGS = 50;
const KEY = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u;

/** Problem of a user's tag, with its remedy; undefined if AWS takes it. */
export function tagProblem(key: string, value: string): string | undefined {
  if (/^(?:aws|inferdrop):/i.test(key))
    return 'must not begin with aws: or inferdrop:, which are kept for AWS and this application: rename it';
  if (!KEY.test(key))
    return 'must have a key of 1 to 128 letters, digits, spaces and _ . : / = + - @: rename it';
  if (toTagValue(value) !== value)
    return 'must be at most 256 letters, digits, spaces and _ . : / = + - @: change the value';
  return undefined;
}

/**
 * The parameter `ResourceTags`, such as `CostCenter=42,Owner=vision`, as tags by key.
 *
 * @throws {Error} `MissingConfiguration` for one without a value
 */
export function parseResourceTags(text: string): Readonly<Record<string, string>> {
  const tags = text.split(',').filter((one) => one !== '');
  return Object.fromEntries(
    tags.map((one) => {
      const at = one.indexOf('=');
      if (at > 0) return [one.slice(0, at), one.slice(at + 1)];
      throw new Condition(
        'MissingConfiguration',
        `resourceTags must be KEY=VALUE, is '${one}': deploy with --tag`,
      );
    }),
  );
}
