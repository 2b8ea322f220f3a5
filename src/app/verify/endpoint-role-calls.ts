import { type RoleCallRecord, RUN, STATE } from './role-call-record.ts';

/** Calls of what changes, watches and asks endpoints. */
export function recordEndpointCalls({
  stackName,
  modelRoleArn,
  topicArn,
  arn,
  sagemaker,
  endpoint,
  config,
  model,
  ours,
  tagged,
  pass,
  scaling,
  scalable,
  alarm,
  add,
  machine,
  reads,
  writes,
}: RoleCallRecord): void {
  add('DeployEndpointRole', ['sagemaker:CreateModel'], model);
  for (const role of ['DeployEndpointRole', 'RollBackEndpointRole'])
    add(role, ['sagemaker:CreateEndpointConfig'], config);
  add('RollBackEndpointRole', ['sagemaker:AddTags'], config, tagged);
  add('RollBackEndpointRole', ['sagemaker:ListTags'], config);
  for (const resource of [endpoint, config])
    add('DeployEndpointRole', ['sagemaker:CreateEndpoint'], resource);
  for (const resource of [endpoint, config, model])
    add('DeployEndpointRole', ['sagemaker:AddTags'], resource, tagged);
  add('DeployEndpointRole', ['iam:PassRole'], modelRoleArn, pass);
  for (const role of ['DeployEndpointRole', 'RollBackEndpointRole']) {
    add(role, ['sagemaker:DescribeEndpoint', 'sagemaker:ListTags'], endpoint);
    add(role, ['sagemaker:UpdateEndpoint', 'sagemaker:DeleteEndpoint'], endpoint, ours);
    add(role, ['sagemaker:UpdateEndpoint'], config, ours);
  }
  add('StartTransformRole', ['sagemaker:DescribeModel'], sagemaker('model/inferdrop-a-pipeline-0a'));
  add('DeployEndpointRole', ['sagemaker:DescribeModel'], model);
  add('DeleteEndpointRole', ['sagemaker:DescribeEndpoint', 'sagemaker:ListTags'], endpoint);
  for (const action of ['sagemaker:ListEndpointConfigs', 'sagemaker:ListModels'])
    add('FinishEndpointRole', [action], '*');
  add('FinishEndpointRole', ['sagemaker:DescribeEndpointConfig', 'sagemaker:ListTags'], config);
  add('FinishEndpointRole', ['sagemaker:DescribeModel', 'sagemaker:ListTags'], model);
  add('FinishEndpointRole', ['sagemaker:AddTags'], endpoint, ours);
  add('FinishEndpointRole', ['sagemaker:DeleteModel'], model, ours);
  add('FinishEndpointRole', ['application-autoscaling:DeregisterScalableTarget'], scalable, scaling);
  add('SweepEndpointsRole', ['sagemaker:ListEndpoints'], '*');
  add('SweepEndpointsRole', ['sagemaker:DescribeEndpoint', 'sagemaker:ListTags'], endpoint);
  add('SweepEndpointsRole', ['sagemaker:DeleteEndpoint'], endpoint, {
    ...ours,
    'aws:ResourceTag/inferdrop:candidate-of': 'a-pipeline',
  });
  reads('ApiRole', 'index/a-pipeline/a.json', 'endpoints/a-pipeline/served.json', `${RUN}/report.json`);
  reads('ApiRole', `${STATE}/frozen.json`, `${RUN}/plan.json`);
  writes('ApiRole', `${STATE}/frozen.json`);
  add('ApiRole', ['states:StartExecution'], machine('batch-inference'));
  for (const [role, step] of [
    ['StatesRole', 'plan-run'],
    ['ReportFailureRole', 'write-report'],
    ['ReportFailureRole', 'write-training-report'],
    ['TrainingStepsRole', 'plan-training'],
    ['EndpointRole', 'deploy-endpoint'],
  ] as const)
    add(role, ['lambda:InvokeFunction'], arn('lambda', `function:${stackName}-${step}`));
  add('DeleteEndpointRole', ['sagemaker:DeleteEndpoint'], endpoint, ours);
  add('CheckEndpointRole', ['sagemaker:DescribeEndpoint'], endpoint);
  add('TestEndpointRole', ['sagemaker:InvokeEndpoint'], endpoint);
  add('PredictRole', ['sagemaker:InvokeEndpoint'], endpoint);
  reads('PredictRole', 'endpoints/a-pipeline/served.json');
  // Application Auto Scaling checks the caller's rights on the endpoint and on CloudWatch.
  add(
    'FinishEndpointRole',
    ['application-autoscaling:RegisterScalableTarget', 'application-autoscaling:PutScalingPolicy'],
    scalable,
    scaling,
  );
  add(
    'FinishEndpointRole',
    ['sagemaker:DescribeEndpoint', 'sagemaker:UpdateEndpointWeightsAndCapacities'],
    endpoint,
    ours,
  );
  add(
    'FinishEndpointRole',
    ['cloudwatch:PutMetricAlarm', 'cloudwatch:DescribeAlarms', 'cloudwatch:DeleteAlarms'],
    alarm,
  );
  add('FinishEndpointRole', ['sagemaker:DeleteEndpointConfig'], config, ours);
  for (const role of ['DeployEndpointRole', 'RollBackEndpointRole', 'DeleteEndpointRole']) {
    add(role, ['application-autoscaling:DeregisterScalableTarget'], scalable, scaling);
    add(role, ['sagemaker:DescribeEndpointConfig'], config);
    add(role, ['sagemaker:UpdateEndpointWeightsAndCapacities'], endpoint, ours);
    add(role, ['cloudwatch:DescribeAlarms', 'cloudwatch:DeleteAlarms'], alarm);
  }
  for (const role of ['NotifyEndpointRole', 'SweepEndpointsRole', 'RepairEndpointRole'])
    add(role, ['sns:Publish'], topicArn);
}
