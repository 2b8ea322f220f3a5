import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import type { Action } from '../kernel/action.ts';
import { jsonService } from '../kernel/json-service.ts';
import {
  type Credentials,
  everyServiceAllowed,
  type RoleSessions,
  type ServiceAccess,
} from '../kernel/permission.ts';
import type { EventBus, ExecutionStarter, FunctionInvoker, LogWriter } from '../kernel/ports.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { createStateMachine } from './actions/create-state-machine.ts';
import { deleteStateMachine } from './actions/delete-state-machine.ts';
import type { StatesDeps } from './actions/deps.ts';
import { describeExecution } from './actions/describe-execution.ts';
import { describeMapRun } from './actions/describe-map-run.ts';
import { describeStateMachine } from './actions/describe-state-machine.ts';
import { getExecutionHistory } from './actions/get-execution-history.ts';
import { listExecutions } from './actions/list-executions.ts';
import { listMapRuns } from './actions/list-map-runs.ts';
import { listStateMachines } from './actions/list-state-machines.ts';
import { listTagsForResource } from './actions/list-tags-for-resource.ts';
import { startExecution } from './actions/start-execution.ts';
import { stopExecution } from './actions/stop-execution.ts';
import { updateStateMachine } from './actions/update-state-machine.ts';
import type { Engine } from './engine/engine.ts';
import { runBlock } from './engine/run-block.ts';
import type { Thread } from './engine/thread.ts';
import { Executions } from './executions.ts';
import { expressionCompiler } from './expression/compile.ts';
import { templateEvaluator } from './expression/evaluate.ts';
import { type Chance, systemChance } from './expression/functions.ts';
import { runDistributedMap } from './map/distributed-map.ts';
import { type MapObjects, mapObjects } from './map/map-objects.ts';
import type { RunningChild } from './map/run-child.ts';
import { statesResources } from './resources.ts';
import { Machines } from './store/machines.ts';
import { MapRuns } from './store/map-runs.ts';
import { type Calls, callsByRole } from './tasks/as-role.ts';
import { runTask } from './tasks/run-task.ts';

const OWN_CREDENTIALS: Credentials = { accessKeyId: 'states', secretAccessKey: 'test' };
const EVERYTHING_ALLOWED: RoleSessions = { credentialsOf: () => OWN_CREDENTIALS, refusal: () => null };

interface StatesOptions extends ServiceBase {
  readonly bus: EventBus;
  readonly functions: FunctionInvoker;
  readonly logs: LogWriter;
  /** Objects of Distributed Maps instead of those in the stack's own S3. */
  readonly objects?: MapObjects;
  /** Whom the tasks of a machine act as; without it they may do everything. */
  readonly roles?: RoleSessions;
  /** Which roles trust Step Functions; by default all. */
  readonly access?: ServiceAccess;
  readonly chance?: Chance;
}

/** Step Functions as the rest of the stack uses it. */
export interface States {
  readonly service: Service;
  readonly executions: ExecutionStarter;
  readonly resources: ResourceTypes;
  /** Lets the executions that a stopped stack left go on where they stood. Call when every service is up. */
  readonly start: () => void;
}

/** Step Functions for standard machines in JSONata. */
export function createStates(options: StatesOptions): States {
  const { dir, site, clock, functions, chance = systemChance, roles = EVERYTHING_ALLOWED } = options;
  const objectsOf = (credentials: Credentials): MapObjects =>
    options.objects ?? mapObjects(site, site.endpoint, credentials);
  const parts = {
    ...options,
    chance,
    roles,
    machines: new Machines(dir),
    mapRuns: new MapRuns(dir),
    runningChildren: new Map<string, RunningChild>(),
  };
  const executions = new Executions({ ...parts, engine: () => engine });
  const calls = callsByRole({ site, functions, executions, objectsOf, roles });
  const callsOf = ({ execution }: Thread): Calls => calls.as(execution.identity.roleArn);
  const engine: Engine = {
    clock,
    chance,
    evaluate: templateEvaluator(expressionCompiler({ clock, chance })),
    runBlock: (block, input, thread, interruption) => runBlock(engine, block, input, thread, interruption),
    runTask: (state, visit) => runTask(engine, callsOf(visit.thread), site.region, state, visit),
    runDistributedMap: (state, visit) =>
      runDistributedMap(engine, { ...parts, ...callsOf(visit.thread) }, state, visit),
  };
  const deps: StatesDeps = {
    ...parts,
    executions,
    access: options.access ?? everyServiceAllowed,
  };
  const service = jsonService({
    name: 'states',
    target: 'AWSStepFunctions',
    version: '1.0',
    actions: actionsOf(deps),
    close: async () => {
      parts.mapRuns.freeze();
      await executions.close();
      parts.mapRuns.close();
      calls.close();
    },
  });
  return {
    service,
    executions,
    resources: statesResources(deps),
    start: () => executions.resume(),
  };
}

function actionsOf(deps: StatesDeps): readonly Action[] {
  return [
    createStateMachine(deps),
    deleteStateMachine(deps),
    describeExecution(deps),
    describeMapRun(deps),
    describeStateMachine(deps),
    getExecutionHistory(deps),
    listExecutions(deps),
    listMapRuns(deps),
    listStateMachines(deps),
    listTagsForResource(deps),
    startExecution(deps),
    stopExecution(deps),
    updateStateMachine(deps),
  ];
}
