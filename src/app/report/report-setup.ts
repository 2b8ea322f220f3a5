import { givenArchive } from '../../plan/endpoint/served-archive.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import type { ReportSetup } from '../../report/report.ts';

/** The plan's part of the report. @param runtimes as the containers report them */
export function toReportSetup(
  { model, input, engine, transform, cost }: ScoringPlan,
  runtimes: readonly string[],
): ReportSetup {
  const { inputFilter, kmsKeyArn, columns, ...settings } = transform;
  const { sha256: modelSha256, artifact } = givenArchive(model);
  return {
    modelName: model.name,
    modelSha256,
    artifact,
    imageUri: model.imageUri,
    runtimes: [...runtimes],
    framework: model.framework,
    frameworkVersion: model.frameworkVersion,
    input: `s3://${input.bucket}/${input.prefix}`,
    transform: {
      ...settings,
      ...(kmsKeyArn !== null && { kmsKeyArn }),
      ...(columns !== null && { features: columns.features.length }),
      ...shown(engine),
      ...(inputFilter !== null && { inputFilter }),
    },
    quoteUsd: cost.quoteUsd,
  };
}

/** An engine's settings that fit on one line each; lists are joined. */
function shown({ name, ...settings }: ScoringPlan['engine']): Record<string, string | number> {
  const lines: Record<string, string | number> = { engine: name };
  for (const [field, value] of Object.entries(settings)) {
    if (typeof value === 'string' || typeof value === 'number') lines[field] = value;
    else if (Array.isArray(value)) lines[field] = value.join(', ');
  }
  return lines;
}
