/** Effect of changing a deployed parameter; null if the two values are clear enough. */
export function effectOfChange(name: string, from: string, to: string): string | null {
  return EFFECTS[name]?.(from, to) ?? null;
}

type Effect = (from: string, to: string) => string | null;

const whereRemoved =
  (text: string): Effect =>
  (from, to) =>
    from !== '' && to === '' ? text : null;

const whereShorter =
  (what: string): Effect =>
  (from, to) =>
    Number(to) < Number(from) ? `S3 deletes ${what} older than ${to} days within a day or two` : null;

const EFFECTS: Readonly<Record<string, Effect>> = {
  IncomingRetentionDays: whereShorter('uploaded files'),
  RunsRetentionDays: whereShorter('plans, predictions and reports'),
  StagedRetentionDays: (from, to) =>
    Number(to) < Number(from)
      ? `S3 deletes copies of inputs older than ${to} days within a day or two, also while a run needs them`
      : null,
  NoncurrentRetentionDays: (from, to) =>
    Number(to) < Number(from)
      ? `S3 deletes, for good, versions that were overwritten or deleted more than ${to} days ago`
      : null,
  KmsKeyArn: (from) =>
    from === ''
      ? 'only what is written from now on is encrypted with it'
      : 'the stack can no longer read what was written under the former key, its state and pipelines included',
  VpcSubnetIds: whereRemoved('models and training jobs run outside the VPC from the next run on'),
  ApiJwtIssuer: (from, to) =>
    to === ''
      ? "the API refuses tokens and asks for AWS's signature"
      : from === ''
        ? "the API refuses AWS's signature and asks for tokens"
        : 'the API refuses tokens of the former issuer',
  ApiPipelinesClaim: whereRemoved('every token opens every pipeline'),
  NotificationEmail: (_, to) =>
    to === ''
      ? 'no messages and no alarms are sent'
      : 'AWS asks the new address to confirm before it gets any message',
  ReadBucketArns: whereRemoved('models and inputs in those buckets can no longer be read'),
  ReadKeyArns: whereRemoved('files under those keys can no longer be read'),
  PermissionsBoundaryArn: whereRemoved('the roles of the stack have no boundary'),
  AlarmTopicArn: (_, to) =>
    to === '' ? 'alarms go to the people who get messages of runs' : 'those people no longer get alarms',
  ImageRepositoryArns: whereRemoved('models with images of those repositories can no longer start'),
};
