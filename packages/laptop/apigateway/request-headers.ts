/** Headers as a function sees them: names in lower case, repeated ones joined by commas, cookies apart. */
export interface RequestHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
}

/** Reads Node's list of names and values, in which nothing has been dropped or joined. */
export function readRequestHeaders(rawHeaders: readonly string[]): RequestHeaders {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/; */).filter((cookie) => cookie !== ''));
    else headers[name] = headers[name] === undefined ? value : `${headers[name]},${value}`;
  }
  return { headers, cookies };
}
