import { noCredentials } from '../../../scripts/require-credentials.mjs';
import { account, ownRegion } from '../../aws/account/account.ts';
import { endpointInUse, useStackOfMachine } from '../application.ts';
import { Refusal } from '../refusal.ts';

/** The region of serverless.yml where none is named. */
const DEFAULT_REGION = 'us-east-1';

/**
 * Finds the region and the credentials of a deployment, and keeps them in the environment: a download and a build would be
 * for nothing without.
 *
 * @returns the region
 * @throws {Refusal} if the profile names another region than would be deployed to, or nobody takes the credentials
 */
export async function requireAccount({
  region,
  profile,
}: {
  readonly region: string | undefined;
  readonly profile: string | undefined;
}): Promise<string> {
  await useStackOfMachine();
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const named = region ?? AWS_REGION ?? AWS_DEFAULT_REGION;
  const own = named ?? (await ownRegion()) ?? DEFAULT_REGION;
  if (named === undefined && own !== DEFAULT_REGION)
    throw new Refusal(
      `Your AWS settings name the region ${own}: add --region ${own}, or --region ${DEFAULT_REGION}`,
    );
  process.env.AWS_REGION = own;
  await account()
    .identity()
    .catch((error: unknown) => {
      throw new Refusal(whyUnknown(error, own));
    });
  return own;
}

function whyUnknown(error: unknown, region: string): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'CredentialsProviderError') return noCredentials(error);
  const place = endpointInUse()?.origin ?? `AWS in ${region}`;
  return `${place} does not say who these credentials belong to: ${error.message}`;
}
