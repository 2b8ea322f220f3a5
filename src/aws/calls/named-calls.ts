/** Calls of S3 after which something of the caller's is stored. */
const STORES = /^(?:PutObject|CompleteMultipartUpload|CopyObject)Command$/;
const THROTTLES =
  /^(?:Throttling|ThrottlingException|ThrottledException|TooManyRequestsException|RequestLimitExceeded|SlowDown)$/;

let hasStoredAny = false;

/** Whether this process has stored anything in S3. */
export function hasStored(): boolean {
  return hasStoredAny;
}

interface CallNames {
  readonly clientName?: string;
  readonly commandName?: string;
}

/** The part of an SDK's client that errors pass. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: <A, B>(next: (args: A) => Promise<B>, context: CallNames) => (args: A) => Promise<B>,
      options: { readonly step: 'initialize'; readonly name: string; readonly priority: 'high' },
    ): void;
  };
}

/**
 * Has a client's errors of throttling, credentials and region say which call failed, as in `SageMaker CreateModel: Rate
 * exceeded`; the latter also name the profile.
 */
export function named<C extends Client>(client: C): C {
  client.middlewareStack.add(
    (next, { clientName = '', commandName = '' }) =>
      async (args) => {
        try {
          const answer = await next(args);
          hasStoredAny ||= STORES.test(commandName);
          return answer;
        } catch (error) {
          const isThrottled = error instanceof Error && THROTTLES.test(error.name);
          if (isThrottled || isUnsent(error))
            error.message =
              `${clientName.replace(/Client$/, '')} ${commandName.replace(/Command$/, '')}: ` +
              `${error.message}${isThrottled ? '' : ofProfile()}`;
          throw error;
        }
      },
    { step: 'initialize', name: 'namedCalls', priority: 'high' },
  );
  return client;
}

/** Whether a call failed before it was sent: for want of credentials or a region. */
function isUnsent(error: unknown): error is Error {
  if (!(error instanceof Error) || '$metadata' in error || 'code' in error) return false;
  return !['AbortError', 'TimeoutError'].includes(error.name);
}

function ofProfile(): string {
  const { AWS_PROFILE: profile } = process.env;
  return profile === undefined
    ? ''
    : `, with the profile ${profile}: see that ~/.aws/config or ~/.aws/credentials has it, with its region, and its ` +
        'source_profile if it names one';
}
