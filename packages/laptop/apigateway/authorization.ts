/** `requestContext.authorizer` of an event. */
export type CallerAuthorizer =
  | { readonly iam: Readonly<Record<string, unknown>> }
  | {
      readonly jwt: {
        readonly claims: Readonly<Record<string, string>>;
        readonly scopes: readonly string[] | null;
      };
    };
