/** Types that a browser runs scripts of. */
const ACTIVE = /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml)\b/i;

/**
 * Headers that keep a stored text from acting on the stack when a browser opens it: here every object has the stack's own origin,
 * while each bucket of AWS has an origin of its own. SDKs take no notice of them.
 *
 * @param stored the object's own Content-Type: what was stored as a page may run its scripts, in an origin of its own
 * @param override `response-content-type` of the address: what was stored as something else is not opened as a page
 */
export function browserGuards(
  stored: string | undefined,
  override: string | null,
): Readonly<Record<string, string>> {
  const isPage = override === null && /^text\/html\b/i.test(stored ?? '');
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': isPage ? 'sandbox allow-scripts allow-popups allow-downloads' : 'sandbox',
    ...(override !== null && ACTIVE.test(override) && { 'content-disposition': 'attachment' }),
  };
}
