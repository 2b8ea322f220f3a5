/**
 * Actions that policies can allow on `*` alone, or on resources whose names are not known beforehand (Service Authorization
 * Reference).
 */
export const WITHOUT_RESOURCE: ReadonlySet<string> = new Set([
  'cloudformation:ValidateTemplate',
  'cloudwatch:DescribeAlarms',
  'kms:CreateKey',
  'lambda:CreateEventSourceMapping',
  'lambda:GetAccountSettings',
  'lambda:GetEventSourceMapping',
  'logs:CreateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:DescribeIndexPolicies',
  'logs:DescribeLogGroups',
  'logs:DescribeResourcePolicies',
  'logs:GetLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:UpdateLogDelivery',
  'sns:GetSubscriptionAttributes',
  'sns:SetSubscriptionAttributes',
  'sns:Unsubscribe',
]);
