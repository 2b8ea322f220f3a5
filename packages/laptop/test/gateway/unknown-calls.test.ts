import { EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { ListActivitiesCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { GetCallerIdentityCommand, GetSessionTokenCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { jsonService } from '../../kernel/json-service.ts';
import { createSts } from '../../sts/service.ts';
import { localGateway } from '../support/local-gateway.ts';

const start = () =>
  localGateway((site) => [
    jsonService({
      name: 'states',
      target: 'AWSStepFunctions',
      version: '1.0',
      actions: [
        action('ListStateMachines', {
          input: z.strictObject({ nextToken: z.never().optional() }),
          run: () => states(),
        }),
        action('StartExecution', {
          input: z.unknown(),
          run: () => {
            throw new AwsError('ExecutionAlreadyExists', 'it runs');
          },
        }),
      ],
    }),
    createSts({ site }).service,
  ]);

const states = () => ({
  stateMachines: [
    {
      name: 'm',
      stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m',
      type: 'STANDARD',
      creationDate: new Date('2026-01-01T00:00:00.250Z'),
    },
  ],
});

it('names what a service offers when it is asked for more', async () => {
  const gateway = await start();
  await expect(new SFNClient(gateway.client).send(new ListActivitiesCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    message: expect.stringMatching(/states ListActivities\. It offers: ListStateMachines, StartExecution/),
  });
  await expect(new STSClient(gateway.client).send(new GetSessionTokenCommand({}))).rejects.toMatchObject({
    name: 'InvalidAction',
    message: expect.stringMatching(/sts GetSessionToken\. It offers: AssumeRole, GetCallerIdentity/),
  });
  await gateway.close();
});

it('names the services when it is asked for another one', async () => {
  const gateway = await start();
  await expect(new EventBridgeClient(gateway.client).send(new ListRulesCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    message: expect.stringMatching(/AWSEvents\.ListRules\. It offers: states, sts/),
  });
  await gateway.close();
});

it('turns what a schema refuses into a validation error, and dates into seconds', async () => {
  const gateway = await start();
  const client = new SFNClient(gateway.client);
  await expect(client.send(new ListStateMachinesCommand({ nextToken: 'x' }))).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('nextToken'),
  });
  const { stateMachines } = await client.send(new ListStateMachinesCommand({}));
  expect(stateMachines?.[0]?.creationDate).toEqual(new Date('2026-01-01T00:00:00.250Z'));
  await new STSClient(gateway.client).send(new GetCallerIdentityCommand({}));
  await gateway.close();
});
