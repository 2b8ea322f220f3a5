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

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

let last = { second: -1, text: '' };

/** `12/Mar/2026:19:03:58 +0000`, as logs have it. The text is cached for the second. */
export function toLogTime(timeMs: number): string {
  const second = Math.floor(timeMs / 1000);
  if (second === last.second) return last.text;
  const [date = '', time = ''] = new Date(timeMs).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  last = { second, text: `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000` };
  return last.text;
}
