import * as z from 'zod';

/** A discovery document as it was answered, or why there is none. */
export type Discovered = { readonly document: unknown } | { readonly reason: string };

const Document = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Address of an issuer's discovery document (OpenID Connect Discovery 1.0, section 4), which API Gateway reads. */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * Problem of an issuer by its discovery document: without one a deployment fails halfway, and with another spelling of the issuer every
 * token is refused. Undefined if there is none.
 */
export function issuerProblem(issuer: string, discovered: Discovered): string | undefined {
  const about = `apiJwtIssuer ${issuer}: ${discoveryUrl(issuer)}`;
  if ('reason' in discovered)
    return `${about} cannot be read (${discovered.reason}): give the address of an OpenID Connect issuer`;
  const { data } = Document.safeParse(discovered.document);
  if (data === undefined) return `${about} must have issuer and jwks_uri`;
  return data.issuer === issuer
    ? undefined
    : `${about} names the issuer ${data.issuer}: write apiJwtIssuer=${data.issuer}`;
}
