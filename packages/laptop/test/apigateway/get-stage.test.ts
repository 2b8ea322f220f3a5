import { ApiGatewayV2Client, GetStageCommand, GetStagesCommand } from '@aws-sdk/client-apigatewayv2';
import { expect, it } from 'vitest';
import { stackOf } from '../support/stack-of.ts';

it('GetStage answers the throttles as they were set; other calls are refused by name', async () => {
  const stack = await stackOf({
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'api', ProtocolType: 'HTTP' } },
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: {
        ApiId: { Ref: 'Api' },
        StageName: '$default',
        AutoDeploy: true,
        DefaultRouteSettings: { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
      },
    },
  });
  const client = new ApiGatewayV2Client(stack.client);
  const ApiId = stack.physicalId('Api');
  expect(await client.send(new GetStageCommand({ ApiId, StageName: '$default' }))).toMatchObject({
    StageName: '$default',
    DefaultRouteSettings: { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
  });
  await expect(client.send(new GetStageCommand({ ApiId, StageName: 'prod' }))).rejects.toMatchObject({
    name: 'NotFoundException',
  });
  await expect(client.send(new GetStagesCommand({ ApiId }))).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
  await stack.close();
});
