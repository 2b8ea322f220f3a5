// Writes docs/deployer-policy.json and docs/removal-policy.json: `node scripts/write-deployer-policy.ts` after a change of the template,
// or of what the removal calls.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { deployerPolicy } from './deployer-policy.ts';
import { packageApplication } from './package-application.ts';
import { removalPolicy } from './removal-policy.ts';

const root = path.resolve(import.meta.dirname, '..');
const { bucketTemplate, template } = await packageApplication(root, 'dev');
const policies = {
  'deployer-policy.json': deployerPolicy([JSON.parse(bucketTemplate), JSON.parse(template)]),
  'removal-policy.json': removalPolicy(),
};
for (const [name, policy] of Object.entries(policies))
  writeFileSync(path.join(root, 'docs', name), `${JSON.stringify(policy, null, 2)}\n`);
