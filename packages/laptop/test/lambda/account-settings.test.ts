import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { localMessaging } from '../support/local-messaging.ts';

test('the account has its concurrency, and what functions have not reserved of it', async () => {
  const stack = await localMessaging({ lambdaConcurrency: 200 });
  try {
    await stack.makeFunction('f', 'export const handler = async () => 1', {
      ReservedConcurrentExecutions: 30,
    });
    expect(await new LambdaClient(stack.client).send(new GetAccountSettingsCommand({}))).toMatchObject({
      AccountLimit: {
        ConcurrentExecutions: 200,
        UnreservedConcurrentExecutions: 170,
        TotalCodeSize: 80_530_636_800,
      },
      AccountUsage: { FunctionCount: 1 },
    });
  } finally {
    await stack.close();
  }
});
