import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EndpointLaptop, RUN, startEndpointLaptop } from '../support/endpoint-laptop.ts';

const KmsKeyArn = 'arn:aws:kms:us-east-1:000000000000:key/00000000-0000-0000-0000-000000000001';

let laptop: EndpointLaptop;
beforeAll(async () => {
  laptop = await startEndpointLaptop({ machine: { parameters: { KmsKeyArn } } });
});
afterAll(() => laptop.close());

it('an endpoint whose volumes are under a customer’s key is created and updated', async () => {
  const asked = (run: string) =>
    laptop.planLike(run, (plan) => void (plan.model.environment = { RELEASE: run }));
  expect(await laptop.change({ run: RUN })).toMatchObject({ status: 'SUCCEEDED' });
  const { endpoints } = laptop.application;
  const { endpointName } = (await laptop.served())!;
  const found = await endpoints.describe(endpointName);
  expect(await endpoints.describeConfig(found!.configName)).toMatchObject({ kmsKeyArn: KmsKeyArn });
  expect(await laptop.change({ run: await asked('next') })).toMatchObject({ status: 'SUCCEEDED' });
});
