/** Headers and context of a request whose token API Gateway has verified: a list is text in the context, `[a b]`. */
export function tokenOf(claims: Readonly<Record<string, string | readonly string[]>>) {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const texts = Object.entries(claims).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : `[${value.join(' ')}]`,
  ]);
  return {
    headers: { authorization: `Bearer e30.${payload}.c2ln` },
    requestContext: { authorizer: { jwt: { claims: Object.fromEntries(texts) as Record<string, string> } } },
  };
}
