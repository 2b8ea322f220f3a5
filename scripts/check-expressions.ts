/**
 * Checks that every regular expression takes linear time on any text. Expressions in proven-expressions.json have been
 * proved before: `--write` keeps it, `--all` proves them again, as the week does.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { whyNotLinear } from './linear-time.ts';
import { proofOf } from './proof-of.ts';
import proven from './proven-expressions.json' with { type: 'json' };
import { regularExpressionsOf } from './regular-expressions.ts';

/** Files that assemble expressions at run time, and why these are safe. */
const ASSEMBLED: Readonly<Record<string, string>> = {
  'packages/laptop/cloudformation/parameters.ts':
    'AllowedPattern of the template that is deployed, on a parameter of at most 4,096 bytes',
  'packages/laptop/cloudformation/schemas/property-problems.ts':
    'patterns that CloudFormation publishes, on the template that is deployed',
  'packages/laptop/iam/principal.ts': 'an account id between constants',
  'packages/laptop/service-model/pattern.ts': 'patterns of AWS that RE2 cannot express; its test names each',
  'packages/laptop/service-model/rest-route.ts': 'segments without slashes, one after the other',
  'scripts/page-tables.ts': 'constant heads of tables that are joined',
  'scripts/removal-policy.ts': 'constants that are joined',
  'src/cli/model/served-files.ts': 'a constant name between word boundaries',
  'src/deployment/declared-parameter.ts':
    "AllowedPattern of the project's own template, on text of the command line",
  'src/model/script-names.ts': 'a constant name between words',
  'src/model/unread-files.ts': 'a folder of letters and digits after a constant',
  'src/frameworks/pytorch/archive.ts': 'a constant name at the start of a line',
  'src/label/truth-in-key.ts': 'as few repetitions as it counts, of patterns that RE2 takes',
};

const root = path.resolve(import.meta.dirname, '..');
const { all, write } = parseArgs({
  options: { all: { type: 'boolean' }, write: { type: 'boolean' } },
}).values;
const known = new Set(all === true ? [] : proven);
const safe = new Set<string>();
const problems: string[] = [];
const assembling = new Set<string>();
let count = 0;

const files = globSync('{bin,functions,packages,scripts,src}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: ['packages/*/{test,lab}/**', '**/node_modules/**', 'scripts/phrases.ts'], // reads only this repository's files
});
for (const file of files.sort()) {
  const { expressions, assembled } = regularExpressionsOf(file, readFileSync(path.join(root, file), 'utf8'));
  for (const place of assembled) {
    assembling.add(file);
    if (!Object.hasOwn(ASSEMBLED, file))
      problems.push(
        `${place}: the expression is assembled while the program runs: make it of constants, or say in ` +
          `${import.meta.filename} why it is safe`,
      );
  }
  for (const { place, source, flags } of expressions) {
    count++;
    const text = `/${source}/${flags}`;
    const proof = proofOf(source, flags);
    if (safe.has(proof)) continue;
    const why = known.has(proof) ? undefined : await whyNotLinear(source, flags);
    if (why === undefined) safe.add(proof);
    else problems.push(`${place}: ${text} ${why}`);
  }
}
for (const file of Object.keys(ASSEMBLED))
  if (!assembling.has(file)) problems.push(`${file} assembles no expression any more: take it off the list`);
if (count === 0) problems.push('no regular expression was found: nothing has been checked');

if (write === true) {
  const file = path.join(import.meta.dirname, 'proven-expressions.json');
  writeFileSync(file, `${JSON.stringify([...safe].sort(), undefined, 2)}\n`);
} else if (proven.some((proof) => !safe.has(proof)))
  problems.push('proven-expressions.json has proofs of expressions that are gone: npm run generate');
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
