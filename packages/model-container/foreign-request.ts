/**
 * Names under which clients reach the stack: loopback, names below `localhost`, and what AWS's own clients put into the header for
 * API Gateway and StartSyncExecution. None of them can be made to point to this machine by an attacker's DNS server.
 */
const OWN_HOST =
  /^(?:(?:sync-)?127\.0\.0\.1|\[::1\]|(?:[a-z0-9.-]+\.)?localhost(?:\.localstack\.cloud)?|[a-z0-9.-]+\.amazonaws\.com)(?::\d+)?$/i;

/**
 * Why a request may come from a web page that isn't the stack's own; undefined for a request from a program.
 *
 * A page that you visit can send requests to loopback, and can make a name of its own point there (DNS rebinding). It cannot choose
 * the headers Host, Origin and Sec-Fetch-Site.
 *
 * @param allowsOrigin whether the receiver has allowed pages of that origin (CORS); none by default
 */
export function foreignRequest(
  headers: Readonly<Record<string, string>>,
  allowsOrigin: (origin: string) => boolean = () => false,
): string | undefined {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!OWN_HOST.test(host)) return `Host is ${JSON.stringify(host)}, which is not a name of this stack`;
  if (origin !== undefined) {
    if (origin === `http://${host}` || allowsOrigin(origin)) return undefined;
    return `Origin is ${JSON.stringify(origin)}: a web page of another origin sent it`;
  }
  if (site === 'cross-site' || site === 'same-site')
    return `Sec-Fetch-Site is ${site}: a web page of another origin sent it`;
  return undefined;
}
