import { type StackOptions, startStack } from '../../stack.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The whole stack on a free port, and the settings of any SDK client. */
export async function localStack(options: Partial<StackOptions> = {}) {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const stack = await startStack({
    port: 0,
    dir: temporaryFolder('stack-'),
    credentials: { test: 'test' },
    ...options,
  });
  return {
    ...stack,
    client: { endpoint: stack.endpoint, region: stack.site.region, credentials, maxAttempts: 1 },
  };
}

export type LocalStack = Awaited<ReturnType<typeof localStack>>;
