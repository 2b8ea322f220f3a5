import { type Mistake, statementsOf, stateOf } from './mistake.ts';

/** Mistakes that AWS also accepts, so that neither a deployment nor a run can tell; each names the check that can. */
export const FORGIVEN_MISTAKES: readonly (Pick<Mistake, 'mistake' | 'make'> & {
  readonly because: string;
})[] = [
  {
    mistake: 'a retrier names an error that no function throws',
    make: (template) => stateOf(template, 'StartTransform').Retry[1].ErrorEquals.push('TransformThrotled'),
    because:
      'Step Functions takes any name of an error; test/infra/error-names.test.ts holds them against the code',
  },
  {
    mistake: 'a role may do more than it needs',
    make: (template) =>
      statementsOf(template, 'NotifyRole').push({ Effect: 'Allow', Action: 's3:*', Resource: '*' }),
    because: 'IAM takes any leave; npm run test:template has checkov look for it',
  },
];
