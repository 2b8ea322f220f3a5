/** One permission that a call requires. */
export interface Permission {
  /** Name of the action in IAM: `s3:GetObject`. */
  readonly action: string;
  /** An ARN; `*` for an action that knows no resource. */
  readonly resource: string;
  /** Condition keys and their values; a key that is not there has none. */
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
  /** The service tries it with the caller's rights before it goes on, and answers a refusal as a `ValidationException` of its own. */
  readonly isTriedFirst?: boolean;
}

/** An access key with its secrets. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Sessions of roles, for services that act as one. */
export interface RoleSessions {
  /** The same each time, also after a restart: addresses signed with them stay good. */
  credentialsOf(roleArn: string, sessionName: string): Credentials;
  /** Why not; null if the policies of role and resource allow it all, and for a role that the stack does not know. */
  refusal(roleArn: string, sessionName: string, permissions: readonly Permission[]): string | null;
}

/** An AWS service at work for something of the account's: a rule, a topic, an API, a state machine. */
export interface ServiceCaller {
  /** Name of the service in policies: `events.amazonaws.com`. */
  readonly service: string;
  /** The resource it works for, as in `aws:SourceArn`. */
  readonly sourceArn: string;
}

/** Rights of services themselves: resource policies let them in, trust policies let them assume roles. */
export interface ServiceAccess {
  /** Why not; null if the resource's own policy allows it all, and for a resource that the stack does not know. */
  refusal(caller: ServiceCaller, permissions: readonly Permission[]): string | null;
  /** Whether the role's trust policy allows it; a role that the stack does not know trusts all. */
  mayAssume(caller: ServiceCaller, roleArn: string): boolean;
}

/**
 * Text of the policy on an ARN's resource: null without a policy, undefined for an unknown resource. For an object it's the
 * bucket's policy.
 */
export type ResourcePolicyLookup = (arn: string) => string | null | undefined;

/** For services that run without policies, as in tests of a single service. */
export const everyServiceAllowed: ServiceAccess = { refusal: () => null, mayAssume: () => true };

/** Callers with a role, which is what Lambda functions are; all others are the account's owner. */
export interface Roles {
  /** The secret of an access key that was given to a role; undefined for any other key. */
  secretOf(accessKeyId: string): string | undefined;
  /**
   * Undefined for a key without a role.
   *
   * @returns the refusal with its reason; null if the policies of role and resource allow everything
   */
  refusal(accessKeyId: string, permissions: readonly Permission[]): string | null | undefined;
  /** Why the account's owner is refused as well: the policy of a resource denies it to all principals. */
  ownerRefusal(permissions: readonly Permission[]): string | null;
}
