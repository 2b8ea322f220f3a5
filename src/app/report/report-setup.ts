import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import type { ReportSetup } from '../../report/report.ts';

/** The plan's part of the report. @param runtimes as the containers report them */
export function toReportSetup(
  { model, input, transform, cost }: ScoringPlan,
  runtimes: readonly string[],
): ReportSetup {
  const { instanceTypes, dataProcessing, ...settings } = transform;
  return {
    modelName: model.name,
    modelSha256: model.sha256,
    artifact: model.artifact,
    imageUri: model.imageUri,
    runtimes: [...runtimes],
    framework: model.framework,
    frameworkVersion: model.frameworkVersion,
    input: `s3://${input.bucket}/${input.prefix}`,
    transform: {
      ...settings,
      instanceTypes: instanceTypes.join(', '),
      ...(dataProcessing && {
        inputFilter: dataProcessing.inputFilter,
        joinSource: dataProcessing.joinSource,
      }),
    },
    quoteUsd: cost.quoteUsd,
  };
}
