import { defineCommand } from '../define-command.ts';
import { DEPLOYMENT, runOsls } from '../deployment/run-osls.ts';

/** `inferdrop deploy`: creates the stack of a stage, or updates it. */
export const command = defineCommand({
  about:
    'Creates the stack of a stage in AWS, or updates it. Account, parameters and the state of the stack are looked at ' +
    'before anything is made.',
  examples: [
    'inferdrop deploy --stage prod --param notificationEmail=team@example.com',
    'inferdrop deploy --stage prod --param runsRetentionDays=90',
  ],
  page: 'docs/deploy.md',
  options: DEPLOYMENT,
  run: ({ options }) => runOsls('deploy', options),
});
