import * as z from 'zod';

/** Answer to a request for a discovery document, or why there is none. */
export type Discovered = { readonly text: string } | { readonly reason: string };

const Document = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Address of an issuer's discovery document (OpenID Connect Discovery 1.0, section 4), which API Gateway reads. */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * Problem of an issuer by its discovery document: CloudFormation would find it in the middle of a deployment, and a name that differs from
 * the document's nobody, until every token is refused. Undefined if there is none.
 */
export function issuerProblem(issuer: string, discovered: Discovered): string | undefined {
  const about = `apiJwtIssuer ${issuer}: ${discoveryUrl(issuer)}`;
  if ('reason' in discovered)
    return `${about} cannot be read (${discovered.reason}): give the address of an OpenID Connect issuer`;
  let value: unknown;
  try {
    value = JSON.parse(discovered.text);
  } catch {
    return `${about} is not JSON: give the address of an OpenID Connect issuer`;
  }
  const document = Document.safeParse(value);
  if (!document.success) return `${about} must have issuer and jwks_uri`;
  const { issuer: own } = document.data;
  return own === issuer ? undefined : `${about} names the issuer ${own}: write apiJwtIssuer=${own}`;
}
