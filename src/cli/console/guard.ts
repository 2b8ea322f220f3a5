import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers by which a request is judged. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

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

/**
 * Whether a request carries the console's token, or reads an address with its ticket. Neither is a cookie: browsers
 * send those to every port of a machine.
 */
export function isLetIn(method: string, { authorization }: Headers, url: URL, token: string): boolean {
  if (typeof authorization === 'string') return isSame(authorization, `Bearer ${token}`);
  const ticket = url.searchParams.get('ticket');
  return method === 'GET' && ticket !== null && isSame(ticket, ticketOf(url, token));
}

/** The address with a ticket that opens it and nothing else: what a frame, an image or a window of its own loads has no header. */
export function withTicket(url: URL, token: string): string {
  const query = new URLSearchParams(url.searchParams);
  query.set('ticket', ticketOf(url, token));
  return `${url.pathname}?${query.toString()}`;
}

function ticketOf(url: URL, token: string): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete('ticket');
  return createHmac('sha256', token).update(`${url.pathname}?${query.toString()}`).digest('base64url');
}

/** Whether two secrets are equal, in a time that does not tell how much of them is. */
function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
