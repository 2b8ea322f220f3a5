import { MAX_TAGS, tagProblem } from '../run/resource-tags.ts';
import { said } from '../text/said.ts';
import type { ParameterChange } from './resolve-parameters.ts';

type Tags = ReadonlyMap<string, string>;

/** Tags of the application's own that an endpoint may have. */
const OWN_TAGS = 7;
/** Characters of `ResourceTags`: it is a variable of functions, and Lambda takes 4,096 bytes for all of one function's. */
const MAX_TEXT = 3000;

/** Tags of a deployment. */
interface ResolvedTags {
  /** Tags of the stack, which CloudFormation puts on nearly all that it makes. */
  readonly stackTags: Tags;
  /** The parameter `ResourceTags`, if `--tag` changes it. */
  readonly resourceTags: string | undefined;
  readonly changes: readonly ParameterChange[];
  readonly problems: readonly string[];
}

/**
 * Resolves the tags that `--tag` gives: one that isn't given keeps its deployed value, and an empty value removes it.
 *
 * @param deployed tags of the stack
 * @param deployedText its parameter `ResourceTags`
 */
export function resolveTags(given: Tags, deployed: Tags, deployedText: string): ResolvedTags {
  const own = new Map([...deployed].filter(([key]) => !key.startsWith('aws:')));
  const stackTags = withTags(own, given);
  if (given.size === 0) return { stackTags, resourceTags: undefined, changes: [], problems: [] };
  return {
    stackTags,
    resourceTags: toText(withTags(readTags(toItems(deployedText), 'resourceTags').tags, given)),
    changes: [...given]
      .map(([key, to]) => ({ option: `tag ${key}`, from: own.get(key) ?? '', to, effect: null }))
      .filter(({ from, to }) => from !== to),
    problems: sameKeys(stackTags),
  };
}

/** Problems of the parameter `ResourceTags`. */
export function resourceTagProblems(text: string): readonly string[] {
  const { tags, problems } = readTags(toItems(text), 'resourceTags');
  const most = MAX_TAGS - OWN_TAGS;
  return [
    ...problems,
    ...said(
      tags.size > most &&
        `at most ${most} tags, not ${tags.size}: AWS takes ${MAX_TAGS}, and an endpoint has ${OWN_TAGS} of the application's`,
      text.length > MAX_TEXT &&
        `the tags must have at most ${MAX_TEXT} characters together, and have ${text.length}: shorten them`,
    ),
  ];
}

/** Reads tags, each `KEY=VALUE`; those with problems are left out. */
export function readTags(
  options: readonly string[],
  about: string,
): { readonly tags: Tags; readonly problems: string[] } {
  const tags = new Map<string, string>();
  const problems: string[] = [];
  for (const option of options) {
    const at = option.indexOf('=');
    const key = at < 0 ? option : option.slice(0, at);
    const value = at < 0 ? '' : option.slice(at + 1);
    const problem =
      at < 0
        ? `needs a value: ${about} ${key}=VALUE`
        : tags.has(key)
          ? 'is given twice: give it once'
          : key.trim() !== key || value.trim() !== value
            ? 'must not begin or end with spaces, nor its value: remove them'
            : tagProblem(key, value);
    if (problem === undefined) tags.set(key, value);
    else problems.push(`${about} ${key} ${problem}`);
  }
  return { tags, problems };
}

/** IAM tells tags by their keys in small letters. */
function sameKeys(tags: Tags): string[] {
  return [...Map.groupBy(tags.keys(), (key) => key.toLowerCase()).values()]
    .filter(({ length }) => length > 1)
    .map(
      (keys) =>
        `--tag ${keys.join(' and ')}: IAM takes one of them, since it ignores case: remove one with --tag KEY=`,
    );
}

function withTags(before: Tags, given: Tags): Tags {
  return new Map([...before, ...given].filter(([key]) => given.get(key) !== ''));
}

const toItems = (text: string): string[] => text.split(',').filter((one) => one !== '');
const toText = (tags: Tags): string => Array.from(tags, ([key, value]) => `${key}=${value}`).join(',');
