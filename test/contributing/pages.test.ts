import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ONNXRUNTIME } from '../../src/frameworks/onnx/judge-onnx.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PAGES = globSync('{*,{docs,packages,examples,statemachines,test,lab}/**/*}.md', {
  cwd: ROOT,
  exclude: (name) => name === 'node_modules',
});

function read(page: string): string {
  return readFileSync(path.join(ROOT, page), 'utf8');
}

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(PAGES.map((page) => [page]))('links of %s lead somewhere', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const lost = links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (globSync(target, { cwd: ROOT }).length === 0) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
  expect(lost).toEqual([]);
});

/** What exists only where a parameter asks for it. */
const OF_PARAMETERS = ['infra/shared/canary.yml', 'infra/shared/dashboard.yml'];

test('docs/deploy.md and README.md count what the template has, and its idle cost', () => {
  const infra = globSync('infra/*/*.yml', { cwd: ROOT, exclude: OF_PARAMETERS }).map(read).join('\n');
  const alarms = infra.match(/Type: AWS::CloudWatch::Alarm$/gm)?.length ?? 0;
  const keys = infra.match(/Type: AWS::KMS::Key$/gm)?.length ?? 0;
  const machines = infra.match(/Type: AWS::StepFunctions::StateMachine$/gm)?.length ?? 0;
  const functions = globSync('functions/*.ts', { cwd: ROOT }).length;
  // Of alarms on one metric, and of those on several.
  const metrics = infra.match(/^ {6}MetricName:|^ {10}MetricStat:/gm)?.length ?? 0;
  // US dollars a month: 0.10 a metric of an alarm, 1.00 a key (https://aws.amazon.com/cloudwatch/pricing,
  // https://aws.amazon.com/kms/pricing).
  const idle = (metrics * 0.1 + keys).toFixed(2);
  const page = read('docs/deploy.md');
  expect(page).toContain(`| ${functions} Lambda functions`);
  expect(page).toContain(`| ${machines} Step Functions state machines`);
  expect(page).toMatch(
    new RegExp(
      `\\| ${alarms} CloudWatch alarms on ${metrics} metrics .*\\$${(metrics * 0.1).toFixed(2)} a month`,
    ),
  );
  expect(page).toContain(`about $${idle} a month`);
  expect(read('README.md')).toContain(`about $${idle} a month`);
});

test.each([
  ['docs/operate.md', 'alarm', /AlarmName: !Sub 'inferdrop-\$\{Stage\}-([a-z-]+)'/g, 13],
  ['docs/deploy.md', 'parameter', /^ {2}(?!Stage)([A-Z]\w+):\n {4}Type: (?:String|Number|Comma\w+)$/gm, 15],
  ['docs/serving.md', 'route', /RouteKey: '?([A-Z]+ [^' }\n]+(?:\{\w+\}[^' }\n]*)*)/g, 8],
])('%s has every %s of the template', (page, _, pattern, least) => {
  const infra = globSync('infra/*/*.yml', { cwd: ROOT }).map(read).join('\n');
  const names = [...infra.matchAll(pattern)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThanOrEqual(least);
  // A parameter's name begins with a small letter on the command line.
  const text = read(page).toLowerCase();
  expect(names.filter((name) => !text.includes(`\`${name.toLowerCase()}`))).toEqual([]);
});

test('docs/your-model.md downloads the onnxruntime that plans ask for', () => {
  expect(read('docs/your-model.md')).toContain(`onnxruntime==${ONNXRUNTIME} `);
});
