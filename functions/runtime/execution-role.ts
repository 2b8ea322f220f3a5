import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces the SDK's default credential chain in the bundles: a Lambda's credentials are always in its environment, and profiles,
 * single sign-on and instance metadata would be a fifth of each bundle (ADR 4).
 */
export const defaultProvider = fromEnv;
