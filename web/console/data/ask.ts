/** An answer of the console's server that is no success. */
class Refused extends Error {
  readonly kind: string;

  constructor(kind: string, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** Reads the data of an address. @throws {Refused} */
export async function ask<T>(address: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(address, init).catch(() => {
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
