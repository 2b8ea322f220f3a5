// `node lab/bench/states.ts`: what a transition, and a child of a Distributed Map, cost the Step Functions engine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../packages/laptop/kernel/clock.ts';
import type { Site } from '../../packages/laptop/kernel/service.ts';
import { createStates } from '../../packages/laptop/states/service.ts';

const CHILDREN = 2000;
const ROUNDS = 5000;

const dir = mkdtempSync(join(tmpdir(), 'bench-states-'));
const site: Site = {
  account: '000000000000',
  region: 'us-east-1',
  partition: 'aws',
  endpoint: () => 'http://127.0.0.1:0',
};
let ended: (status: unknown) => void = () => undefined;
const states = createStates({
  dir,
  site,
  clock: systemClock,
  bus: { put: ({ detail }) => (detail['status'] === 'RUNNING' ? undefined : ended(detail['status'])) },
  logs: { write: () => undefined },
  functions: {
    invoke: async () => ({ payload: Buffer.from('{"shard":1,"records":10}'), requestId: 'r' }),
    invokeLater: () => undefined,
  },
});

async function measure(name: string, States: object, unit: string, count: number): Promise<void> {
  const { ref } = await states.resources['AWS::StepFunctions::StateMachine']!.apply(
    { StateMachineName: name, RoleArn: 'r', Definition: { QueryLanguage: 'JSONata', StartAt: 'A', States } },
    { stackName: 'bench', logicalId: name, physicalId: undefined, site },
  );
  // The first round compiles.
  for (const isWarm of [false, true]) {
    const end = new Promise((resolve) => (ended = resolve));
    const began = performance.now();
    const cpuBegan = process.cpuUsage();
    await states.executions.start(ref, '{}');
    const status = await end;
    if (status !== 'SUCCEEDED') throw new Error(`${name} ended ${String(status)}`);
    const ms = performance.now() - began;
    const cpu = process.cpuUsage(cpuBegan);
    const cpuMs = (cpu.user + cpu.system) / 1000;
    const rate = Math.round((count / ms) * 1000);
    if (isWarm) console.log(`${name}: ${rate} ${unit}/s, ${(cpuMs / count).toFixed(3)} ms of CPU each`);
  }
}

const invoke = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: 'f', Payload: '{% $states.input %}' },
  TimeoutSeconds: 900,
  Output: '{% $states.result.Payload %}',
  End: true,
};
const ItemProcessor = {
  ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
  StartAt: 'B',
  States: { B: invoke },
};
await measure(
  'distributed-map',
  { A: { Type: 'Map', Items: `{% [1..${CHILDREN}] %}`, MaxConcurrency: 200, ItemProcessor, End: true } },
  'children',
  CHILDREN,
);
await measure(
  'loop',
  {
    A: { Type: 'Pass', Assign: { n: 0 }, Next: 'B' },
    B: { Type: 'Pass', Assign: { n: '{% $n + 1 %}' }, Next: 'C' },
    C: { Type: 'Choice', Choices: [{ Condition: `{% $n < ${ROUNDS} %}`, Next: 'B' }], Default: 'D' },
    D: { Type: 'Succeed' },
  },
  'transitions',
  2 * ROUNDS + 2,
);
await states.service.close();
rmSync(dir, { recursive: true });
