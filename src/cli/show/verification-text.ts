import type { Verdict } from '../../app/verify/finding.ts';
import type { CheckResult, Verification } from '../../app/verify/verification.ts';
import { moment } from '../../text/dates.ts';
import { decimal, dollars } from '../../text/figures.ts';
import { type Terminal, visible } from './terminal.ts';
import { wrapText } from './wrap-text.ts';

/** A verification as plain paragraphs: for a pipe, and for a file to attach to a report. */
export function verificationText(verification: Verification): readonly string[] {
  return [
    ...headOf(verification),
    '',
    ...triedOf(verification).flatMap((result) => [
      `${result.check}: ${result.verdict}`,
      `  asked:    ${result.asked}`,
      `  answered: ${visible(result.answered)}`,
      `  means:    ${visible(result.means)}`,
      '',
    ]),
    ...footOf(verification),
  ];
}

/** A verification as a table as wide as the terminal. */
export function verificationTable(
  verification: Verification,
  { columns, color }: Pick<Terminal, 'columns' | 'color'>,
): readonly string[] {
  const tried = triedOf(verification);
  const name = Math.max(...tried.map(({ check }) => check.length), 'CHECK'.length);
  const verdict = Math.max(...tried.map(({ verdict: one }) => one.length), 'VERDICT'.length);
  const margin = name + verdict + 4;
  const width = Math.max(columns - margin, 30);
  const paint: Readonly<Record<Verdict, (text: string) => string>> = {
    ok: color.green,
    warning: color.yellow,
    failed: color.red,
    'not run': color.dim,
    'only AWS can tell': color.dim,
  };
  const toLines = (result: CheckResult): string[] => {
    const [first = '', ...more] = wrapText(visible(result.answered), width);
    const head = `${result.check.padEnd(name)}  ${paint[result.verdict](result.verdict.padEnd(verdict))}  ${first}`;
    const rest = [...more, ...wrapText(visible(result.means), width).map((line) => color.dim(line))];
    return [head.trimEnd(), ...rest.map((line) => ' '.repeat(margin) + line)];
  };
  return [
    ...headOf(verification).flatMap((line) => wrapText(line, columns)),
    '',
    color.bold(`${'CHECK'.padEnd(name)}  ${'VERDICT'.padEnd(verdict)}  WHAT AWS ANSWERED, AND WHAT IT MEANS`),
    ...tried.flatMap(toLines),
    '',
    ...footOf(verification).flatMap((line) => wrapText(line, columns)),
  ];
}

/** All but those that `--spend` left out, which one line names. */
function triedOf({ checks }: Verification): readonly CheckResult[] {
  return checks.filter(({ neededUsd }) => neededUsd === null);
}

function leftOutOf({ checks, estimatedUsd }: Verification): string[] {
  const leftOut = checks.filter(({ neededUsd }) => neededUsd !== null);
  if (leftOut.length === 0) return [];
  const priced = leftOut.map((result) => ({ check: result.check, usd: result.estimatedUsd ?? 0 }));
  const allUsd = priced.reduce((sum, { usd }) => sum + usd, estimatedUsd);
  const list = priced.map(({ check, usd }) => `${check} ${dollars(usd)}`).join(', ');
  return [
    `Left out, since they create or cost something: ${list}. --spend ${decimal(allUsd, 2)} covers all checks.`,
  ];
}

function headOf({ program, stack, place, region, startedAt, spendUsd }: Verification): string[] {
  const spend = spendUsd === null ? 'reads only' : `may spend ${dollars(spendUsd)}`;
  return [`${program}: ${stack} at ${place} in ${region}, ${moment(startedAt)}, ${spend}`];
}

function footOf(verification: Verification): string[] {
  const { checks, estimatedUsd, spendUsd, removed, left, interrupted } = verification;
  const count = (verdict: Verdict): number => checks.filter((one) => one.verdict === verdict).length;
  const kinds: readonly Verdict[] = ['ok', 'warning', 'failed', 'not run', 'only AWS can tell'];
  const counts = kinds.flatMap((verdict) => (count(verdict) === 0 ? [] : [`${count(verdict)} ${verdict}`]));
  return [
    `${checks.length} checks: ${counts.join(', ')}`,
    ...leftOutOf(verification),
    ...(spendUsd === null ? [] : [`Estimated cost of what ran: ${dollars(estimatedUsd)}`]),
    ...(removed.length === 0 ? [] : [`Removed: ${removed.join(', ')}`]),
    ...left.map((one) => `NOT removed: ${one}`),
    ...(interrupted ? ['Interrupted before its end.'] : []),
  ];
}
