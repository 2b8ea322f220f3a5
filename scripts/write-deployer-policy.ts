// Writes docs/policies: `node scripts/write-policies.ts` after a change of the template, of what the removal calls, or of a policy in
// docs/policies/aws that is written by hand.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { policies } from './policies.ts';

const root = path.resolve(import.meta.dirname, '..');
for (const [name, text] of await policies(root)) {
  const file = path.join(root, 'docs', 'policies', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
