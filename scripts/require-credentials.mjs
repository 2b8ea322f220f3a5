// What an older Node does before it has Node 24 downloaded: a deployment without credentials needs none.

/** Commands that only work in AWS. */
const COMMANDS = ['deploy', 'remove'];

/**
 * Looks for AWS's credentials where a command needs them; a stack on this machine, which AWS_ENDPOINT_URL names, has
 * its own. Resolves at once for other commands.
 *
 * @throws {Error} if AWS's credential chain finds no credentials; the message has the remedy
 */
export async function requireCredentials(args) {
  const { AWS_ENDPOINT_URL } = process.env;
  if (!COMMANDS.includes(args[0]) || args.includes('--help') || args.includes('-h') || AWS_ENDPOINT_URL)
    return;
  const { parseArgs } = await import('node:util');
  const options = { 'aws-profile': { type: 'string' } };
  const { values } = parseArgs({ args, options, strict: false, allowPositionals: true });
  const profile = values['aws-profile'];
  if (typeof profile === 'string') process.env.AWS_PROFILE = profile;
  // This look is all that the SDK does on this Node.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const { STSClient } = await import('@aws-sdk/client-sts');
  try {
    await new STSClient({ region: 'us-east-1' }).config.credentials();
  } catch (error) {
    throw new Error(noCredentials(error), { cause: error });
  }
}

/** Words for an error of the SDK's that found no credentials. */
export function noCredentials({ message }) {
  const { AWS_PROFILE: profile } = process.env;
  const place = profile && !message.includes(profile) ? `, with the profile ${profile}` : '';
  return (
    `No AWS credentials (${message}${place}): set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run ` +
    'aws sso login. To rehearse on this machine set AWS_ENDPOINT_URL to the address that inferdrop up prints'
  );
}
