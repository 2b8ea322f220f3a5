// Judges files of cases that operations/make_cases.py has written: a line a family, what is refused, and every case
// that is wrong or stopped.
//
//     node operations.ts FOLDER [FAMILY…]
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { judgeCases, type Judgment } from '../test/support/operation-cases.ts';

const [folder = '', ...only] = process.argv.slice(2);
const files = readdirSync(folder).filter(
  (file) => only.length === 0 || only.some((name) => file.startsWith(name)),
);
const all: Judgment[] = [];
for (const file of files.sort()) {
  const judgments = await judgeCases(join(folder, file), (name) => {
    // The last line before a crash names its case.
    if (process.env.VERBOSE !== undefined) process.stderr.write(`${file} ${name}\n`);
  });
  all.push(...judgments);
  print(`${file.replace(/\.gz$/, '').padEnd(28)}${counts(judgments)}`);
  for (const [refused, count] of refusals(judgments)) print(`    refused ${count}: ${refused}`);
  for (const { op, name, verdict, detail, differsAlone } of judgments) {
    if (differsAlone === true) print(`    other rows alone ${op} ${name}`);
    if (verdict === 'wrong' || verdict === 'stopped' || verdict === 'kernels')
      print(`    ${verdict} ${op} ${name}: ${detail}`);
  }
}
print(`${'all'.padEnd(28)}${counts(all)}`);
process.exitCode = all.length > 0 && all.every(({ verdict }) => verdict !== 'wrong') ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function counts(judgments: readonly Judgment[]): string {
  const of = (verdict: Judgment['verdict']) => judgments.filter((one) => one.verdict === verdict).length;
  const { length } = judgments;
  const changed = judgments.filter(({ isOptimized }) => isOptimized);
  const right = changed.filter(({ verdict }) => verdict === 'equal').length;
  const optimizer =
    changed.length === 0 ? '' : `, of ${changed.length} that the optimizer changes ${right} equal`;
  const kernels = of('kernels') === 0 ? '' : `, shown by kernels ${of('kernels')}`;
  const alone = judgments.filter(({ differsAlone }) => differsAlone).length;
  const rows = alone === 0 ? '' : `, other rows alone ${alone}`;
  return (
    `cases ${length}, equal ${of('equal')}, refused ${of('refused')}, stopped ${of('stopped')}, wrong ` +
    `${of('wrong')}${kernels}${optimizer}${rows}`
  );
}

function refusals(judgments: readonly Judgment[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { verdict, detail } of judgments) {
    if (verdict !== 'refused') continue;
    const words = detail.replace(/^.*converted: /, '').replace(/ \(node .*/, '');
    counted.set(words, (counted.get(words) ?? 0) + 1);
  }
  return counted;
}
