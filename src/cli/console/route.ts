import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that has passed the guards. */
export interface Asked {
  /** Parts of the address that the pattern names, decoded. */
  readonly parts: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/** An address of the console. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Its form, as in `/api/runs/:run`: a part is one segment, in which a `/` is encoded. */
  readonly pattern: string;
  answer(asked: Asked): Promise<void>;
}

/** A route. */
export function route(method: Route['method'], pattern: string, answer: Route['answer']): Route {
  return { method, pattern, answer };
}

/** The route of an address, and the parts of it that the pattern names; undefined for one that there is not. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): { readonly route: Route; readonly parts: Readonly<Record<string, string>> } | undefined {
  const given = pathname.split('/');
  for (const route of routes) {
    const wanted = route.pattern.split('/');
    if (route.method !== method || wanted.length !== given.length) continue;
    const parts: Record<string, string> = {};
    const fits = wanted.every((name, at) => {
      const text = decoded(given[at] ?? '');
      if (!name.startsWith(':')) return name === text;
      if (text === undefined || text === '') return false;
      parts[name.slice(1)] = text;
      return true;
    });
    if (fits) return { route, parts };
  }
  return undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
