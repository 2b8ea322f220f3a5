import type { LifecycleRule } from '../configuration/lifecycle.ts';
import type { ObjectVersion } from '../store/object-version.ts';

/** The prefix that a rule is limited to; empty for the whole bucket. */
export function prefixOf({ Prefix, Filter }: LifecycleRule): string {
  return Prefix ?? Filter?.Prefix ?? Filter?.And?.Prefix ?? '';
}

/** Whether a version, or a delete marker in its place, is one that a rule is about. */
export function isInScope(rule: LifecycleRule, key: string, { size, tags }: ObjectVersion): boolean {
  const { Filter: filter } = rule;
  const more = filter?.ObjectSizeGreaterThan ?? filter?.And?.ObjectSizeGreaterThan;
  const less = filter?.ObjectSizeLessThan ?? filter?.And?.ObjectSizeLessThan;
  return (
    rule.Status === 'Enabled' &&
    key.startsWith(prefixOf(rule)) &&
    (more === undefined || size > Number(more)) &&
    (less === undefined || size < Number(less)) &&
    [...(filter?.Tag ?? []), ...(filter?.And?.Tag ?? [])].every(({ Key, Value }) => tags[Key] === Value)
  );
}
