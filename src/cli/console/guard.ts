import { timingSafeEqual } from 'node:crypto';

/** Secrets of one console, made at its start. */
export interface Secrets {
  /** Part of the address that is printed. */
  readonly token: string;
  /** Value of the cookie that the address is exchanged for. */
  readonly session: string;
}

/** The headers by which a request is judged. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Name of the cookie: browsers send a cookie to every port of a host, so each console has a name of its own. */
export function cookieName(port: number): string {
  return `inferdrop-console-${port}`;
}

/**
 * Why a request may come from a page that is not the console's own; undefined for the console's pages and for programs. A foreign page can
 * send requests to loopback, and a name of its own can be made to point there (DNS rebinding), but it cannot choose Host, Origin and
 * Sec-Fetch-Site. What changes anything names its origin, as every browser does.
 *
 * @param isVisit whether the request opens the first page, which a link of another page may do
 */
export function foreignReason(
  headers: Headers,
  { method, port, isVisit }: { readonly method: string; readonly port: number; readonly isVisit: boolean },
): string | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (typeof host !== 'string' || !hosts.includes(host))
    return `Host is ${JSON.stringify(host)}, which is no name of this console`;
  const reads = method === 'GET' || method === 'HEAD';
  if (origin === undefined ? !reads : origin !== `http://${host}`)
    return `Origin is ${JSON.stringify(origin ?? null)}: only pages of the console may ask for this`;
  if (site === undefined || site === 'same-origin' || site === 'none' || isVisit) return undefined;
  return `Sec-Fetch-Site is ${JSON.stringify(site)}: a page of another origin sent it`;
}

/** Whether a request carries the cookie. */
export function hasSession({ cookie }: Headers, port: number, { session }: Secrets): boolean {
  if (typeof cookie !== 'string') return false;
  const name = `${cookieName(port)}=`;
  return cookie.split(/;\s*/).some((one) => one.startsWith(name) && isSame(one.slice(name.length), session));
}

/** Whether two secrets are equal, in a time that does not tell how much of them is. */
export function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
