// Writes docs/deployer-policy.json: `node scripts/write-deployer-policy.ts` after a change of the template.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { deployerPolicy } from './deployer-policy.ts';
import { packageApplication } from './package-application.ts';

const root = path.resolve(import.meta.dirname, '..');
const { bucketTemplate, template } = await packageApplication(root, 'dev');
const policy = deployerPolicy([JSON.parse(bucketTemplate), JSON.parse(template)]);
writeFileSync(path.join(root, 'docs', 'deployer-policy.json'), `${JSON.stringify(policy, null, 2)}\n`);
