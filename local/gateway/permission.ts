/** One thing that a caller needs leave for. */
export interface Permission {
  /** As IAM names it: `s3:GetObject`. */
  readonly action: string;
  /** An ARN; `*` for an action that knows no resource. */
  readonly resource: string;
  /** Condition keys and their values; a key that is not there has none. */
  readonly context?: Readonly<Record<string, string>>;
}

/** What an access key signs with. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Sessions of roles, for services that act as one. */
export interface RoleSessions {
  /** The same each time, also after a restart: addresses signed with them stay good. */
  credentialsOf(roleArn: string, sessionName: string): Credentials;
  /** Why not; null where the role's policies allow it all, and for a role that the stack does not know. */
  refusal(roleArn: string, sessionName: string, permissions: readonly Permission[]): string | null;
}

/** Callers with a role, which is what Lambda functions are; all others may do everything. */
export interface Roles {
  /** The secret of an access key that was given to a role; undefined for any other key. */
  secretOf(accessKeyId: string): string | undefined;
  /**
   * Undefined for a key of no role.
   *
   * @returns who is refused what, and why; null where the role's policies allow it all
   */
  refusal(accessKeyId: string, permissions: readonly Permission[]): string | null | undefined;
}
