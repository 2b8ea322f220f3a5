import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, it } from 'vitest';
import { createSts } from '../../sts/service.ts';
import { localGateway } from '../support/local-gateway.ts';

it('tells the account of the stack', async () => {
  const gateway = await localGateway((site) => [createSts({ site }).service]);
  const identity = await new STSClient(gateway.client).send(new GetCallerIdentityCommand({}));
  expect(identity).toMatchObject({
    Account: '000000000000',
    Arn: 'arn:aws:iam::000000000000:root',
    UserId: '000000000000',
  });
  await gateway.close();
});

it('knows no role that does not trust its account', async () => {
  const gateway = await localGateway((site) => [createSts({ site }).service]);
  const RoleArn = 'arn:aws:iam::000000000000:role/none';
  const assume = new AssumeRoleCommand({ RoleArn, RoleSessionName: 'me' });
  await expect(new STSClient(gateway.client).send(assume)).rejects.toMatchObject({
    name: 'AccessDenied',
    message: expect.stringContaining('not authorized to perform: sts:AssumeRole on resource'),
  });
  await gateway.close();
});
