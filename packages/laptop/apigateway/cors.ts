import type { CorsConfiguration } from './api-record.ts';

/** The headers that a browser wants to see on an answer; none for an origin that is not allowed. */
export function toCorsHeaders(
  cors: CorsConfiguration | undefined,
  origin: string | undefined,
): Readonly<Record<string, string>> {
  const allowed = cors && allowOrigin(cors, origin);
  if (!cors || allowed === undefined) return {};
  return {
    'access-control-allow-origin': allowed,
    ...(allowed !== '*' && { vary: 'origin' }),
    ...(cors.AllowCredentials === true && { 'access-control-allow-credentials': 'true' }),
    ...(cors.ExposeHeaders && { 'access-control-expose-headers': cors.ExposeHeaders.join(',') }),
  };
}

/** The further headers of the answer to a preflight request. */
export function toPreflightHeaders(cors: CorsConfiguration): Readonly<Record<string, string>> {
  return {
    ...(cors.AllowMethods && { 'access-control-allow-methods': cors.AllowMethods.join(',') }),
    ...(cors.AllowHeaders && { 'access-control-allow-headers': cors.AllowHeaders.join(',') }),
    ...(cors.MaxAge !== undefined && { 'access-control-max-age': String(cors.MaxAge) }),
  };
}

function allowOrigin(
  { AllowOrigins = [] }: CorsConfiguration,
  origin: string | undefined,
): string | undefined {
  if (origin === undefined) return undefined;
  if (AllowOrigins.includes('*')) return '*';
  const matches = AllowOrigins.some(
    (allowed) =>
      allowed === origin || (/^https?:\/\/\*$/.test(allowed) && origin.startsWith(allowed.slice(0, -1))),
  );
  return matches ? origin : undefined;
}
