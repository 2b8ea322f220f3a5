import { type Mistake, stateOf } from './mistake.ts';

/** In the state machines, seen when they are deployed. */
export const MACHINE_MISTAKES: readonly Mistake[] = [
  {
    mistake: 'a state has no Next',
    make: (template) => delete stateOf(template, 'PlanRun').Next,
    says: 'SCHEMA_VALIDATION_FAILED: This object should have only one of the following fields: [Next, End] at /States/PlanRun',
  },
  {
    mistake: 'Next names a state that is not there',
    make: (template) => (stateOf(template, 'PlanRun').Next = 'CreateModels'),
    says: "MISSING_TRANSITION_TARGET: Missing 'Next' target: CreateModels at /States/PlanRun/Next",
  },
  {
    mistake: 'an expression does not parse',
    make: (template) => (stateOf(template, 'PlanRun').Output = '{% $states.result. %}'),
    says: /SCHEMA_VALIDATION_FAILED: Unexpected end of expression .* at \/States\/PlanRun\/Output/,
  },
  {
    mistake: 'a state in JSONata has a ResultSelector',
    make: (template) => (stateOf(template, 'PlanRun').ResultSelector = { 'a.$': '$.a' }),
    says:
      "SCHEMA_VALIDATION_FAILED: The QueryLanguage is set to 'JSONata', but field 'ResultSelector' is only supported " +
      "for the 'JSONPath' QueryLanguage",
  },
  {
    mistake: 'the resource of a task is misspelt',
    make: (template) => (stateOf(template, 'PlanRun').Resource = 'arn:aws:states:::lambda:invok'),
    says:
      'SCHEMA_VALIDATION_FAILED: The resource provided arn:aws:states:::lambda:invok is not recognized. The value is ' +
      'not a valid resource ARN, or the resource is not available in this region.',
  },
  {
    mistake: 'an item reader has no InputType',
    make: (template) => delete stateOf(template, 'FoldPredictions').ItemReader.ReaderConfig.InputType,
    says: 'SCHEMA_VALIDATION_FAILED: These fields are required: [InputType] at /States/FoldPredictions/ItemReader/ReaderConfig',
  },
  {
    mistake: 'MaxConcurrency is a text',
    make: (template) => (stateOf(template, 'FoldPredictions').MaxConcurrency = '16'),
    says: /SCHEMA_VALIDATION_FAILED: .* at \/States\/FoldPredictions\/MaxConcurrency/,
  },
  {
    mistake: 'a task may take longer than a number of seconds can be',
    make: (template) => (stateOf(template, 'PlanRun').TimeoutSeconds = 100_000_000),
    says: 'SCHEMA_VALIDATION_FAILED: Maximum value is 99999999 at /States/PlanRun/TimeoutSeconds',
  },
  {
    mistake: 'BackoffRate is below 1',
    make: (template) => (stateOf(template, 'PlanRun').Retry[0].BackoffRate = 0.5),
    says: 'SCHEMA_VALIDATION_FAILED: Minimum value is 1 at /States/PlanRun/Retry[0]/BackoffRate',
  },
  {
    mistake: 'States.ALL has company',
    make: (template) => stateOf(template, 'PlanRun').Catch[0].ErrorEquals.push('PlanRefused'),
    says: 'SCHEMA_VALIDATION_FAILED: States.ALL must appear alone and at end of list at /States/PlanRun/Catch[0]/ErrorEquals',
  },
];

/** In the state machines, seen by one small drop. */
export const RUNNING_MISTAKES: readonly Mistake[] = [
  {
    mistake: 'an item reader reads another object',
    make: (template) =>
      (stateOf(template, 'FoldPredictions').ItemReader.Arguments.Key =
        "{% 'runs/' & $run & '/shard.json' %}"),
    says: 'States.ItemReaderFailed',
  },
  {
    mistake: 'a payload is larger than 256 KiB',
    make: (template) => (stateOf(template, 'PlanRun').Arguments.Payload.note = "{% $pad('', 300000, '#') %}"),
    says: 'States.DataLimitExceeded',
  },
  {
    mistake: 'an expression names a variable that nothing assigns',
    make: (template) => (stateOf(template, 'PlanRun').Arguments.Payload.run = '{% $runn %}'),
    says: 'States.QueryEvaluationError',
  },
  {
    mistake: 'no choice fits',
    make: (template) => {
      stateOf(template, 'DropSettled').Choices[2].Condition = "{% $states.input.status = 'freezed' %}";
      delete stateOf(template, 'DropSettled').Default;
      delete template.Resources.BatchInference.Properties.Definition.States.NothingToDo;
      stateOf(template, 'DropSettled').Choices[3].Next = 'PlanRun';
    },
    says: 'States.NoChoiceMatched',
  },
];
