import { DescribeStateMachineCommand, ListTagsForResourceCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppliedResource } from '../../cloudformation/resource-type.ts';
import { localSite } from '../support/local-gateway.ts';
import { invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeEach(async () => {
  stack = await localStates();
});
afterEach(() => stack.close());

function apply(properties: object, physicalId?: string): Promise<AppliedResource> {
  const type = stack.states.resources['AWS::StepFunctions::StateMachine']!;
  const context = { stackName: 's', logicalId: 'Machine', physicalId, site: localSite };
  return type.apply({ RoleArn: 'arn:aws:iam::000000000000:role/r', ...properties }, context);
}

const definition = jsonata({
  A: invoke('${Function}', { Resource: 'arn:${Partition}:states:::lambda:invoke' }),
});
const substitutions = { Function: 'f "quoted"', Partition: 'aws' };

async function definitionOf(stateMachineArn: string): Promise<ReturnType<typeof JSON.parse>> {
  const found = await stack.client.send(new DescribeStateMachineCommand({ stateMachineArn }));
  return JSON.parse(found.definition!);
}

test('Definition with DefinitionSubstitutions', async () => {
  const { ref, attributes } = await apply({
    StateMachineName: 'm',
    Definition: definition,
    DefinitionSubstitutions: substitutions,
  });
  expect([ref, attributes['Arn'], attributes['Name']]).toEqual([
    'arn:aws:states:us-east-1:000000000000:stateMachine:m',
    ref,
    'm',
  ]);
  const { States } = await definitionOf(ref);
  expect([States.A.Resource, States.A.Arguments.FunctionName]).toEqual([
    'arn:aws:states:::lambda:invoke',
    'f "quoted"',
  ]);
});

test('DefinitionString with DefinitionSubstitutions', async () => {
  const { ref } = await apply({
    DefinitionString: JSON.stringify(definition),
    DefinitionSubstitutions: { Function: 'f', Partition: 'aws' },
  });
  expect((await definitionOf(ref)).States.A.Arguments.FunctionName).toBe('f');
});

test('the next deployment updates the machine', async () => {
  const { ref, physicalId } = await apply({ Definition: jsonata({ A: { Type: 'Succeed' } }) });
  const next = await apply(
    { Definition: jsonata({ B: { Type: 'Succeed' } }), Tags: [{ Key: 'a', Value: 'b' }] },
    physicalId,
  );
  expect(next.ref).toBe(ref);
  expect((await definitionOf(ref)).StartAt).toBe('B');
  const { tags } = await stack.client.send(new ListTagsForResourceCommand({ resourceArn: ref }));
  expect(tags).toEqual([{ key: 'a', value: 'b' }]);
});

const LOG_GROUP = 'arn:aws:logs:us-east-1:000000000000:log-group:g:*';

test('logging and tracing are taken over', async () => {
  const Destinations = [{ CloudWatchLogsLogGroup: { LogGroupArn: LOG_GROUP } }];
  const { ref } = await apply({
    Definition: jsonata({ A: { Type: 'Succeed' } }),
    LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: true, Destinations },
    TracingConfiguration: { Enabled: true },
  });
  expect(await stack.client.send(new DescribeStateMachineCommand({ stateMachineArn: ref }))).toMatchObject({
    loggingConfiguration: {
      level: 'ALL',
      destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: LOG_GROUP } }],
    },
    tracingConfiguration: { enabled: true },
  });
});

test('a removed machine is gone', async () => {
  const { ref } = await apply({ Definition: jsonata({ A: { Type: 'Succeed' } }) });
  await stack.states.resources['AWS::StepFunctions::StateMachine']!.remove(ref);
  await expect(definitionOf(ref)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' });
});

test.each([
  [
    { Definition: definition, DefinitionSubstitutions: { Function: 'f' } },
    /\$\{Partition\}, DefinitionSubstitutions has no Partition/,
  ],
  [{}, /give one of Definition and DefinitionString/],
  [{ Definition: {}, Color: 'red' }, /Color/],
  [{ Definition: {}, StateMachineType: 'EXPRESS' }, /STANDARD machines only/],
])('refuses %j', async (properties, message) => {
  await expect(apply(properties)).rejects.toThrow(message);
});
