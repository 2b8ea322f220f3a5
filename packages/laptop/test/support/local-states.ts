import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { RoleSessions } from '../../kernel/permission.ts';
import type { BusEvent, FunctionInvoker } from '../../kernel/ports.ts';
import type { Chance } from '../../states/expression/functions.ts';
import type { MapObjects } from '../../states/map/map-objects.ts';
import { createStates } from '../../states/service.ts';
import { localGateway } from './local-gateway.ts';
import { manualClock } from './manual-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

// Each test knows what it sends its own function.
type Handler = (event: any) => unknown;

/** Throw this in a fake function: its name becomes `errorType`. */
export class FunctionError extends Error {
  constructor(name: string, message = '') {
    super(message);
    this.name = name;
  }
}

/** What DescribeExecution tells; a test that reads `output` or `cause` knows that it is there. */
type Described = DescribeExecutionCommandOutput & { output: string; error: string; cause: string };

export interface LocalStates {
  readonly client: SFNClient;
  readonly clock: ReturnType<typeof manualClock>;
  readonly events: BusEvent[];
  readonly logLines: { group: string; stream: string; message: Record<string, unknown> }[];
  readonly functions: Record<string, Handler>;
  readonly dir: string;
  readonly states: ReturnType<typeof createStates>;
  /** Creates a machine of these states and gives its ARN. */
  machine(name: string, definition: object): Promise<string>;
  /** Starts an execution and gives its ARN; it has done all it can without the clock. */
  start(machineArn: string, input?: unknown, name?: string): Promise<string>;
  describe(executionArn: string): Promise<Described>;
  history(executionArn: string): Promise<HistoryEvent[]>;
  /** Creates a machine, runs it and describes its execution. */
  run(definition: object, input?: unknown): Promise<Described>;
  close(): Promise<void>;
}

export interface LocalStatesOptions {
  readonly dir?: string;
  readonly clock?: ReturnType<typeof manualClock>;
  readonly objects?: MapObjects;
  readonly chance?: Chance;
  readonly functions?: Record<string, Handler>;
  readonly roles?: RoleSessions;
}

/** Step Functions alone behind a gateway on a free port, with functions and a clock of the test's own. */
export async function localStates(options: LocalStatesOptions = {}): Promise<LocalStates> {
  const dir = options.dir ?? temporaryFolder('states-');
  const clock = options.clock ?? manualClock();
  const events: BusEvent[] = [];
  const logLines: LocalStates['logLines'] = [];
  const functions: Record<string, Handler> = options.functions ?? {};
  const made: LocalStates['states'][] = [];
  const gateway = await localGateway((site) => {
    const states = createStates({
      ...options,
      dir,
      site,
      clock,
      bus: { put: (event) => void events.push(event) },
      logs: {
        write: (group, stream, message) =>
          void logLines.push({ group, stream, message: JSON.parse(message) }),
      },
      functions: fakeInvoker(functions),
    });
    made.push(states);
    return [states.service];
  });
  const client = new SFNClient(gateway.client);
  let machines = 0;
  const self: LocalStates = {
    client,
    clock,
    events,
    logLines,
    functions,
    dir,
    states: made[0]!,
    async machine(name, definition) {
      const { stateMachineArn } = await client.send(
        new CreateStateMachineCommand({
          name,
          definition: JSON.stringify(definition),
          roleArn: 'arn:aws:iam::000000000000:role/r',
        }),
      );
      return stateMachineArn!;
    },
    async start(stateMachineArn, input = {}, name) {
      const command = new StartExecutionCommand({
        stateMachineArn,
        input: JSON.stringify(input),
        ...(name ? { name } : {}),
      });
      const { executionArn } = await client.send(command);
      await clock.advance(0);
      return executionArn!;
    },
    describe: async (executionArn) =>
      (await client.send(new DescribeExecutionCommand({ executionArn }))) as Described,
    async history(executionArn) {
      const { events: found } = await client.send(
        new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }),
      );
      return found!;
    },
    async run(definition, input) {
      const arn = await self.machine(`m${++machines}`, definition);
      return self.describe(await self.start(arn, input));
    },
    async close() {
      client.destroy();
      await gateway.close();
    },
  };
  return self;
}

function fakeInvoker(functions: Record<string, Handler>): FunctionInvoker {
  return {
    async invoke(target, payload) {
      const name = target.replace(/^arn:aws:lambda:[^:]*:\d+:function:/, '');
      const handler = functions[name];
      if (!handler) throw new Error(`no function ${name}`);
      try {
        const answer = await handler(JSON.parse(payload.toString()));
        return { payload: Buffer.from(JSON.stringify(answer ?? null)), requestId: 'r' };
      } catch (error) {
        if (!(error instanceof FunctionError)) throw error;
        const body = { errorType: error.name, errorMessage: error.message, trace: [] };
        return { payload: Buffer.from(JSON.stringify(body)), functionError: 'Unhandled', requestId: 'r' };
      }
    },
    invokeLater: (target, payload) => void functions[target]?.(JSON.parse(payload.toString())),
  };
}

/** A machine of these states in JSONata, beginning with the first. */
export function jsonata(states: Record<string, object>, extra: object = {}): object {
  return { QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0], States: states, ...extra };
}

/** A Task that invokes a function of the test. */
export function invoke(name: string, extra: object = {}): object {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName: name, Payload: '{% $states.input %}' },
    Output: '{% $states.result.Payload %}',
    End: true,
    ...extra,
  };
}
