// `npm run test:template`: the packaged template against the schemas that CloudFormation publishes, by cfn-lint.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, root, run } from './bootstrap.mjs';
import { pythonEnvironment } from './python-environment.mjs';

ensureInstalled();
const packaged = await run(['scripts/check-package.ts']);
if (packaged !== 0) process.exit(packaged);

const bin = pythonEnvironment('infra', path.join(root, 'test', 'infra', 'requirements.txt'));
/** W3005: serverless writes DependsOn beside GetAtt. E3601 reads definitions before their substitutions; `npm run check` lints them. */
const LEFT_OUT = ['W3005', 'E3601'];
const REGIONS = ['us-east-1', 'eu-west-1', 'cn-north-1', 'us-gov-west-1'];
const { status, error } = spawnSync(
  path.join(bin, 'cfn-lint'),
  [
    ...['--template', 'build/package/dev/serverless/cloudformation-template-update-stack.json'],
    ...['--ignore-checks', ...LEFT_OUT],
    ...['--regions', ...REGIONS],
  ],
  { cwd: root, stdio: 'inherit' },
);
if (error) throw error;
if (status === 0) process.stdout.write(`cfn-lint: nothing to say in ${REGIONS.join(', ')}\n`);
process.exitCode = status ?? 1;
