import { defineCommand, flag } from '../define-command.ts';
import { DEPLOYMENT, runOsls } from '../deployment/run-osls.ts';

const { param: _, ...OPTIONS } = DEPLOYMENT;

/** `inferdrop remove`: deletes the stack of a stage. */
export const command = defineCommand({
  about:
    'Deletes the stack of a stage; the bucket with its data stays. Refuses while work goes on that would cost money without the stack.',
  examples: [
    'inferdrop remove --stage prod --region eu-west-1',
    'inferdrop remove --stage prod --region eu-west-1 --yes',
  ],
  page: 'docs/deploy.md',
  options: {
    ...OPTIONS,
    yes: flag('end running work and endpoints first'),
  },
  // Osls does not know the option, so a plugin reads it from the environment.
  run: ({ options }) => runOsls('remove', options, options.yes ? { INFERDROP_REMOVE_ALL: 'yes' } : {}),
});
