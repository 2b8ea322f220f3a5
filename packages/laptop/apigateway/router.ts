import type { Api, Route, Stage } from './api-record.ts';
import { type ApiStore, memberKey } from './api-store.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import { compareSpecificity, matchSegments, parseRouteKey, type RoutePattern } from './route-key.ts';

/** The route that a request takes. */
interface RouteMatch {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Finds the route by a request's method and its path below the stage, percent-encoded as on the wire; undefined if none matches. */
export type Router = (method: string, path: string) => RouteMatch | undefined;

/** Makes a router of an API's routes: the most specific one that matches wins, `$default` takes the rest. */
export function createRouter(routes: readonly Route[]): Router {
  const patterns: { readonly route: Route; readonly pattern: RoutePattern }[] = [];
  let fallback: Route | undefined;
  for (const route of routes) {
    if (route.routeKey === '$default') fallback = route;
    else patterns.push({ route, pattern: parseRouteKey(route.routeKey) });
  }
  patterns.sort((a, b) => compareSpecificity(a.pattern, b.pattern));
  return (method, path) => {
    const segments = path === '/' || path === '' ? [] : path.slice(1).split('/');
    for (const { route, pattern } of patterns) {
      if (pattern.method !== 'ANY' && pattern.method !== method) continue;
      const pathParameters = matchSegments(pattern, segments);
      if (pathParameters) return { route, pathParameters };
    }
    return fallback && { route: fallback, pathParameters: {} };
  };
}

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
