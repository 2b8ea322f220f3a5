export function requireCredentials(args: readonly string[]): Promise<void>;
export function noCredentials(error: Pick<Error, 'message'>): string;
