import {
  ListAWSDefaultServiceQuotasCommand,
  ListServiceQuotasCommand,
  paginateListServiceQuotas,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountLimits } from '../../service-quotas/account-limits.ts';
import { createServiceQuotas } from '../../service-quotas/service.ts';
import { localGateway } from '../support/local-gateway.ts';

let gateway: Awaited<ReturnType<typeof localGateway>>;
let client: ServiceQuotasClient;
const ROLE = { accessKeyId: 'ASIAROLE', secretAccessKey: 'secret' };
const asked: unknown[] = [];
beforeAll(async () => {
  const limits = AccountLimits.parse({
    lambdaConcurrency: 10,
    transformInstances: { 'ml.m5.xlarge': 1, '*': 4 },
    endpointInstances: { 'ml.t2.medium': 2 },
  });
  gateway = await localGateway((site) => [createServiceQuotas({ site, limits }).service], {
    roles: {
      secretOf: (id) => (id === ROLE.accessKeyId ? ROLE.secretAccessKey : undefined),
      refusal(id, permissions) {
        if (id === ROLE.accessKeyId) asked.push(...permissions);
        return id === ROLE.accessKeyId ? null : undefined;
      },
      ownerRefusal: () => null,
    },
  });
  client = new ServiceQuotasClient(gateway.client);
});
afterAll(() => gateway.close());

async function instances(): Promise<Record<string, number | undefined>> {
  const found: Record<string, number | undefined> = {};
  for await (const { Quotas } of paginateListServiceQuotas({ client }, { ServiceCode: 'sagemaker' }))
    for (const { QuotaName, Value } of Quotas ?? []) found[QuotaName ?? ''] = Value;
  return found;
}

test("Lambda's concurrency has AWS's code and name", async () => {
  const { Quotas } = await client.send(new ListServiceQuotasCommand({ ServiceCode: 'lambda' }));
  expect(Quotas).toContainEqual({
    ServiceCode: 'lambda',
    ServiceName: 'AWS Lambda',
    QuotaArn: 'arn:aws:servicequotas:us-east-1:000000000000:lambda/L-B99A9384',
    QuotaCode: 'L-B99A9384',
    QuotaName: 'Concurrent executions',
    Value: 10,
    Unit: 'None',
    Adjustable: true,
    GlobalQuota: false,
    QuotaAppliedAtLevel: 'ACCOUNT',
  });
});

test('every page of instance quotas is given, with the value of the type, of *, or the default', async () => {
  expect(await instances()).toMatchObject({
    'ml.m5.xlarge for transform job usage': 1,
    'ml.g5.xlarge for transform job usage': 4,
    'ml.t2.medium for endpoint usage': 2,
    'ml.m5.xlarge for endpoint usage': 20,
  });
});

test('defaults are those of an account without limits of its own', async () => {
  const { Quotas = [] } = await client.send(
    new ListAWSDefaultServiceQuotasCommand({ ServiceCode: 'lambda' }),
  );
  expect(Quotas.map(({ QuotaName, Value }) => [QuotaName, Value])).toEqual([['Concurrent executions', 1000]]);
});

test('a role that may list quotas reads them', async () => {
  const asRole = new ServiceQuotasClient({ ...gateway.client, credentials: ROLE });
  await expect(
    asRole.send(new ListServiceQuotasCommand({ ServiceCode: 'sagemaker' })),
  ).resolves.toMatchObject({ Quotas: expect.any(Array) });
  expect(asked).toEqual([{ action: 'servicequotas:ListServiceQuotas', resource: '*' }]);
});

test('an unknown service is refused', async () => {
  await expect(client.send(new ListServiceQuotasCommand({ ServiceCode: 'ec2' }))).rejects.toMatchObject({
    name: 'NoSuchResourceException',
  });
});
