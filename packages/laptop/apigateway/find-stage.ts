import type { Api, Stage } from './api-record.ts';
import { type ApiStore, memberKey } from './api-store.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

/**
 * The stage that a path is of, and the path below it: the first segment is a stage's name, or all of the path is for
 * `$default`.
 *
 * @throws {GatewayRefusal} 404
 */
export function findStage({ stages }: ApiStore, { apiId }: Api, path: string): readonly [Stage, string] {
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(path) ?? [];
  const named = first === '' ? undefined : stages.get(memberKey(apiId, decodeURIComponent(first)));
  if (named && named.name !== '$default') return [named, rest === '' ? '/' : rest];
  const fallback = stages.get(memberKey(apiId, '$default'));
  if (!fallback) throw new GatewayRefusal(404, `neither a stage ${first} nor $default exists`);
  return [fallback, path];
}
