import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalStack, localStack } from '../../packages/laptop/test/support/local-stack.ts';
import { asDeployer } from '../support/as-deployer.ts';
import { type Credentials, runDeployCommand, takeDeploymentTurn } from '../support/deploy-command.ts';

let stack: LocalStack;
let endTurn: () => Promise<void>;
beforeAll(async () => void (endTurn = await takeDeploymentTurn()), 1_800_000);
afterAll(() => endTurn());
beforeAll(async () => void (stack = await localStack()));
afterAll(() => stack.close());

const run = (credentials: Credentials, command: 'deploy' | 'remove', ...options: string[]) =>
  runDeployCommand({ endpoint: stack.endpoint, credentials }, command, ...options);

test.each(['us-gov-west-1', 'cn-north-1'])(
  '%s: its policies suffice to deploy and remove',
  async (region) => {
    const there = await localStack({ region });
    try {
      const session = await asDeployer(there);
      const at = (command: 'deploy' | 'remove') =>
        runDeployCommand(
          { endpoint: there.endpoint, credentials: session },
          command,
          ...['--stage', 'trial', '--region', region],
        );
      expect((await at('deploy')).said).toContain('Service deployed to stack inferdrop-trial');
      expect((await at('remove')).said).toContain('successfully removed');
    } finally {
      await there.close();
    }
  },
);

test('the policies of the docs suffice to deploy, change a parameter and remove', async () => {
  const session = await asDeployer(stack);
  const first = await run(session, 'deploy', '--stage', 'trial');
  expect(first.said).toContain('Service deployed to stack inferdrop-trial');
  const second = await run(session, 'deploy', '--stage', 'trial', '--param', 'runsRetentionDays=30');
  expect(second.said).toContain('Service deployed to stack inferdrop-trial');
  const greedy = await run(session, 'deploy', '--stage', 'trial', '--param', 'serveConcurrency=500');
  expect(greedy.said).toContain('serveConcurrency must be at most 450, is 500');
  expect(greedy.code).not.toBe(0);
  const removed = await run(session, 'remove', '--stage', 'trial');
  expect(removed.said).toContain('successfully removed');
  expect(stack.statusOf('inferdrop-trial')).toBeUndefined();
});

test.each([
  ['one', 'cloudformation:CreateChangeSet'],
  ['two', 's3:PutBucketPublicAccessBlock'],
  ['three', 'iam:PassRole'],
])('stage %s: without %s nothing is deployed', async (stage, action) => {
  const { code, said } = await run(await asDeployer(stack, action), 'deploy', '--stage', stage);
  expect(said).toContain(`not authorized to perform: ${action}`);
  expect(code).not.toBe(0);
});
