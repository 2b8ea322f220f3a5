import { defineCommand, valued } from '../define-command.ts';
import { DEPLOYMENT, runOsls } from '../deployment/run-osls.ts';

/** `inferdrop deploy`: creates the stack of a stage, or updates it. */
export const command = defineCommand({
  about:
    'Creates the stack of a stage in AWS, or updates it. Account, parameters and the state of the stack are looked at ' +
    'before anything is made.',
  examples: [
    'inferdrop deploy --stage prod --param notificationEmail=team@example.com',
    'inferdrop deploy --stage prod --param runsRetentionDays=90',
    'inferdrop deploy --stage prod --tag CostCenter=42 --tag Owner=vision',
  ],
  page: 'docs/deploy.md',
  options: {
    ...DEPLOYMENT,
    tag: {
      type: 'string',
      multiple: true,
      value: 'KEY=VALUE',
      text: 'a tag of the stack and its jobs, models and endpoints; kept otherwise; KEY= removes it',
    },
    'cfn-role': valued(
      'ARN',
      'role with which CloudFormation makes the stack, instead of your rights; kept otherwise',
    ),
  },
  run: ({ options }) => runOsls('deploy', options),
});
