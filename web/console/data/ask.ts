/** An answer of the console's server that is no success. */
class Refused extends Error {
  readonly kind: string;

  constructor(kind: string, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/**
 * The token of the printed address. It's kept in the storage of this origin, which unlike a cookie belongs to one port, and is sent in a
 * header that no page of another origin can add.
 */
let token = '';
const STORED = 'token';

/** Asks with the token of the address, or the one that this browser came in with before; keeps the one that opens. @throws {Refused} */
export async function comeIn<T>(address: string): Promise<T> {
  const [, given] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (given !== undefined) history.replaceState(null, '', location.pathname);
  for (token of [given, localStorage.getItem(STORED)].flatMap((one) => one ?? [])) {
    const answer = await ask<T>(address).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.kind !== 'not-let-in') throw error;
    });
    if (answer === undefined) continue;
    localStorage.setItem(STORED, token);
    return answer;
  }
  return ask<T>(address);
}

/** Sends a request with the token. */
export function send(address: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return fetch(address, { ...init, headers });
}

/** Gives an element an address of the console that the browser itself loads, without the token. */
export function loads(attribute: 'src' | 'href', address: string): (element: Element) => void {
  return (element) =>
    void ask<{ readonly address: string }>(`/api/ticket?of=${segment(address)}`).then(
      (ticketed) => element.setAttribute(attribute, ticketed.address),
      () => element.dispatchEvent(new Event('error')),
    );
}

/** Reads the data of an address. @throws {Refused} */
export async function ask<T>(address: string, init: RequestInit = {}): Promise<T> {
  const response = await send(address, init).catch(() => {
    throw new Refused('console-gone', 'The console does not answer: inferdrop console starts it again.');
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Refused(String(answer.kind ?? ''), String(answer.detail ?? response.status));
}

/** Words for an error that a page shows. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A part of an address: a run's name has slashes. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}
