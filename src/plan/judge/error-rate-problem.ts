import { mostErrors } from '../../gate/proof.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import type { Problem } from '../../problem/problem.ts';
import { grouped } from '../../text/figures.ts';
import { sharePercent } from '../../text/share-percent.ts';
import { isOneRecord, opensFiles } from '../../transform/one-record.ts';
import type { Found, FoundInputs } from '../found.ts';
import type { JudgedConfiguration } from './judge-configuration.ts';

/** Refuses a run if its unreadable inputs already exceed `gate.maxErrorRate`, before anything is paid for. */
export function errorRateProblems(
  { original, frozen, opened }: Pick<Found, 'original' | 'frozen' | 'opened'>,
  { config }: Pick<JudgedConfiguration, 'config'>,
  { profile, drawn }: FoundInputs,
): Problem[] {
  const { maxErrorRate, confidence = null } = resolveGate(config) ?? {};
  const cut = { ...config.transform, columns: config.columns };
  const isWhole = isOneRecord(cut);
  // A training is paid for already, later rounds have more inputs, and copies don't count.
  const isPart = original !== null || frozen.candidate !== undefined || drawn.rounds !== undefined;
  const [first] = opened.defects;
  if (maxErrorRate === undefined || first === undefined || !isWhole || isPart || profile.copies > 0)
    return [];
  const { unreadable } = profile.excluded;
  const excluded = Object.values(profile.excluded).reduce((sum, count) => sum + count, 0);
  const inputs = profile.sent.count + excluded;
  const most = mostErrors(maxErrorRate, confidence, inputs);
  if (profile.sent.count === 0 || most < 0 || unreadable <= most) return [];
  const proof =
    confidence === null ? '' : `, which ${grouped(inputs)} can prove with at most ${grouped(most)} errors`;
  const allowed = `allows ${sharePercent(maxErrorRate)}${proof}`;
  const noun = opensFiles(cut) ? 'records' : 'inputs';
  return [
    {
      file: 'pipeline.json',
      field: 'gate.maxErrorRate',
      value: String(maxErrorRate),
      message:
        `${allowed}, and ${grouped(unreadable)} of ${grouped(inputs)} ${noun} cannot be read ` +
        `(${sharePercent(unreadable / inputs, maxErrorRate)}): nothing was sent. The first: ${first.name} ` +
        `${first.defect}`,
    },
  ];
}
