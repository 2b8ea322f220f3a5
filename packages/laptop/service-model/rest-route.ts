import type { ServiceModel } from './model.ts';

/** Finds the call of a REST request, with the parts of its path; undefined if the model has no such call. */
export type RestRoute = (
  method: string,
  path: string,
) => { readonly operation: string; readonly labels: Readonly<Record<string, string>> } | undefined;

/** Routes by the methods and paths of a model's calls, as in `/2015-03-31/functions/{FunctionName}/invocations`. */
export function restRoute(model: ServiceModel): RestRoute {
  const routes = Object.entries(model.operations).flatMap(([operation, { http }]) => {
    if (http === undefined) return [];
    const names: string[] = [];
    const [path = ''] = http.requestUri.split('?');
    const source = path.replace(/\/$/, '').replace(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name);
      return '([^/]+)';
    });
    return [{ operation, names, method: http.method, path: new RegExp(`^${source}/?$`) }];
  });
  return (method, path) => {
    for (const route of routes) {
      const match = route.method === method ? route.path.exec(path) : null;
      if (!match) continue;
      const labels = route.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]);
      return { operation: route.operation, labels: Object.fromEntries(labels) };
    }
    return undefined;
  };
}
