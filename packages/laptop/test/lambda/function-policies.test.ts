import { expect, it } from 'vitest';
import { openFunctionPolicies } from '../../lambda/function-policies.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const dir = temporaryFolder('policies-');

it('a policy is what the permissions of the moment add up to', async () => {
  const functions = new Set(['f']);
  const nameOf = (target: string) => target.split(':')[6] ?? target;
  const { resources, policyOn } = openFunctionPolicies({
    dir,
    site: { account: '000000000000', region: 'us-east-1', partition: 'aws', endpoint: () => '' },
    store: { has: (target: string) => functions.has(nameOf(target)), record: () => undefined } as any,
  });
  const allow = (logicalId: string, Principal: string) =>
    resources['AWS::Lambda::Permission']!.apply(
      { FunctionName: 'f', Action: 'lambda:InvokeFunction', Principal },
      {
        logicalId,
        stackName: 's',
      } as any,
    );
  const arn = 'arn:aws:lambda:us-east-1:000000000000:function:f';
  const principals = () =>
    JSON.parse(policyOn(arn) ?? '{"Statement":[]}').Statement.map((each: any) => each.Principal.Service);

  expect(policyOn(arn)).toBeNull();
  await allow('Api', 'apigateway.amazonaws.com');
  expect(principals()).toEqual(['apigateway.amazonaws.com']);
  await allow('Rule', 'events.amazonaws.com');
  expect(principals()).toEqual(['apigateway.amazonaws.com', 'events.amazonaws.com']);
  await resources['AWS::Lambda::Permission']!.remove('s-Api');
  expect(principals()).toEqual(['events.amazonaws.com']);
  functions.clear();
  expect(policyOn(arn)).toBeUndefined();
});
