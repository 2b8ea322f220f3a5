import type { Route } from './api-record.ts';
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
