/**
 * `npm run test:template`: the packaged template against the schemas that CloudFormation publishes, by cfn-lint, and against good
 * practice, by checkov.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pythonEnvironment } from '../python-environment.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const TEMPLATE = 'build/package/dev/serverless/cloudformation-template-update-stack.json';
const EXCEPTIONS = 'lab/template/checkov-exceptions.json';
interface Match {
  readonly rule: string;
  readonly path: string;
  readonly message: string;
}
interface FailedCheck {
  readonly check_id: string;
  readonly check_name: string;
  readonly resource: string;
}
interface Exception {
  readonly check: string;
  readonly resources: string;
}

/**
 * Wrong findings of cfn-lint about definitions: it reads them before their substitutions, and does not know JSONata in place
 * of a number.
 */
const WRONG = [
  { rule: 'E3601', path: /\/Resource$/, message: /^'arn:\$\{Partition\}:states:::/ },
  { rule: 'E3601', path: /\/MaxConcurrency$/, message: /\{% .* %\}.* is not of type 'number'/ },
];
const bin = pythonEnvironment('template');
const results = [lint(), checkPractice()];
process.exitCode = results.every((passed) => passed) ? 0 : 1;

function lint(): boolean {
  const REGIONS = ['us-east-1', 'eu-west-1', 'cn-north-1', 'us-gov-west-1'];
  const { stdout } = call('cfn-lint', [
    ...['--template', TEMPLATE, '--format', 'json'],
    // serverless writes DependsOn in addition to GetAtt.
    ...['--ignore-checks', 'W3005'],
    ...['--regions', ...REGIONS],
  ]);
  const found: Match[] = JSON.parse(stdout).map(({ Rule, Location, Message }: any) => ({
    rule: Rule.Id,
    path: Location.Path.join('/'),
    message: Message,
  }));
  const isWrong = (match: Match): boolean =>
    WRONG.some(
      (one) => one.rule === match.rule && one.path.test(match.path) && one.message.test(match.message),
    );
  const right = found.filter((match) => !isWrong(match));
  for (const { rule, path: place, message } of right)
    process.stderr.write(`cfn-lint: ${place}: ${rule} ${message}\n`);
  // Each definition names its tasks so: without them the template was not read.
  const hasRead = found.length > right.length;
  if (!hasRead) process.stderr.write('cfn-lint: the template was not read\n');
  const passed = hasRead && right.length === 0;
  if (passed) process.stdout.write(`cfn-lint: nothing to say in ${REGIONS.join(', ')}\n`);
  return passed;
}

/** Every failed check must be an exception with a reason, and every exception must be needed. */
function checkPractice(): boolean {
  const { stdout } = call('checkov', [
    ...['--file', TEMPLATE, '--framework', 'cloudformation'],
    // No network access.
    ...['--skip-download', '--quiet', '--compact', '--output', 'json'],
  ]);
  const { results: found, summary } = JSON.parse(stdout);
  const failures: FailedCheck[] = found.failed_checks;
  const exceptions: Exception[] = JSON.parse(readFileSync(path.join(ROOT, EXCEPTIONS), 'utf8'));
  const covers = ({ check, resources }: Exception, { check_id: id, resource }: FailedCheck): boolean =>
    check === id &&
    (resources.endsWith('*') ? resource.startsWith(resources.slice(0, -1)) : resource === resources);
  const unexplained = failures.filter((failed) => !exceptions.some((one) => covers(one, failed)));
  const needless = exceptions.filter((one) => !failures.some((failed) => covers(one, failed)));
  for (const { check_id: id, check_name: name, resource } of unexplained)
    process.stderr.write(
      `checkov: ${resource}: ${id} ${name}: fix it, or give the reason in ${EXCEPTIONS}\n`,
    );
  for (const { check, resources } of needless)
    process.stderr.write(`${EXCEPTIONS}: ${check} of ${resources} is no longer needed: remove it\n`);
  const hasChecked = summary.passed > 0 && summary.parsing_errors === 0;
  if (!hasChecked) process.stderr.write('checkov: the template was not read\n');
  const passed = hasChecked && unexplained.length === 0 && needless.length === 0;
  if (passed)
    process.stdout.write(
      `checkov: ${summary.passed} checks passed, ${summary.failed} are exceptions of ${exceptions.length} kinds\n`,
    );
  return passed;
}

function call(program: string, args: readonly string[]) {
  const ended = spawnSync(path.join(bin, program), args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (ended.error) throw ended.error;
  return ended;
}
