import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { AccountConcurrency } from '../../deployment/concurrency-problems.ts';
import { required } from '../calls/answer.ts';
import { withErrorNames } from '../calls/aws-error.ts';
import { named } from '../calls/named-calls.ts';

/** The account and region that the environment names. */
export interface Account {
  /** Id of the account, the caller's ARN, its partition (`aws`, `aws-cn`, `aws-us-gov`) and the region of the clients. */
  identity(): Promise<{
    readonly account: string;
    readonly arn: string;
    readonly partition: string;
    readonly region: string;
  }>;
  lambdaConcurrency(): Promise<AccountConcurrency>;
}

/** The region that environment or profile name; undefined if they name none. */
export function ownRegion(): Promise<string | undefined> {
  return new STSClient().config.region().catch(() => undefined);
}

/** The caller's account; clients are built on first use. */
export function account(): Account {
  return {
    async identity() {
      const client = named(new STSClient());
      const answer = await withErrorNames(client.send(new GetCallerIdentityCommand()));
      const arn = required(answer.Arn, 'Arn');
      const [, partition = 'aws'] = arn.split(':');
      return {
        account: required(answer.Account, 'Account'),
        arn,
        partition,
        region: await client.config.region(),
      };
    },
    async lambdaConcurrency() {
      const { AccountLimit } = await withErrorNames(
        named(new LambdaClient()).send(new GetAccountSettingsCommand()),
      );
      return {
        total: required(AccountLimit?.ConcurrentExecutions, 'AccountLimit.ConcurrentExecutions'),
        unreserved: required(
          AccountLimit?.UnreservedConcurrentExecutions,
          'AccountLimit.UnreservedConcurrentExecutions',
        ),
      };
    },
  };
}
