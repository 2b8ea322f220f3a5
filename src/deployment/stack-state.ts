/** Stack and options that name it in commands. */
export interface StackPlace {
  readonly stackName: string;
  readonly stage: string;
  readonly region: string;
}

/** Why a stack in this state cannot be deployed to, and what to do; undefined if it can. */
export function whyNotDeployable(status: string, place: StackPlace): string | undefined {
  const { stackName, stage, region } = place;
  const is = `${stackName} is in the state ${status}`;
  const remove = `inferdrop remove --stage ${stage} --region ${region}`;
  if (status === 'REVIEW_IN_PROGRESS')
    return `${is}: its first deployment was prepared and never carried out. Remove it (${remove}), and deploy again`;
  if (status.endsWith('_IN_PROGRESS'))
    return (
      `${is}: another deployment or removal is under way. Wait for its end: aws cloudformation describe-stacks ` +
      `--stack-name ${stackName} --region ${region}`
    );
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return (
      `${is}: an update failed, and so did its roll-back. See the reason with aws cloudformation describe-stack-events ` +
      `--stack-name ${stackName} --region ${region}, correct it, then run aws cloudformation continue-update-rollback ` +
      `--stack-name ${stackName} --region ${region}, and deploy again`
    );
  if (/^(ROLLBACK_|CREATE_FAILED|DELETE_FAILED|IMPORT_ROLLBACK_FAILED)/.test(status))
    return `${is} and can only be removed: ${remove}, and deploy again${
      status === 'DELETE_FAILED' ? '. Its events say what could not be deleted' : ''
    }`;
  return undefined;
}
