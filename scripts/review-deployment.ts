import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ReviewedDeployment } from '../src/app/deployment/review-deployment.ts';
import type { Discovered } from '../src/deployment/issuer-problem.ts';
import { accountLine, deployedLines } from '../src/deployment/printed-lines.ts';
import { type ServerlessOptions, type ServerlessTools, useSettings } from './serverless-plugin.ts';

/** Time within which an issuer of tokens must answer. */
const ISSUER_MS = 10_000;

/**
 * Makes `serverless deploy` begin with a look at the account, the parameters and the stack, before anything is bundled or made, keep the
 * deployed value of each parameter that isn't given, and finish with the user's next steps. `serverless remove` begins with the account.
 */
export default class ReviewDeployment {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;
  readonly commands = {
    deploy: { options: { tag: { type: 'multiple' }, 'cfn-role': { type: 'string' } } },
  } as const;
  private reviewed: ReviewedDeployment | undefined;

  constructor(serverless: ServerlessTools, options: ServerlessOptions) {
    const provider = serverless.getProvider('aws');
    const command = (): string => serverless.processedInput.commands.join(' ');
    this.hooks = {
      initialize: async () => {
        if (command() !== 'deploy' && command() !== 'remove') return;
        try {
          useSettings(provider, options);
          if (command() === 'remove') return await tellAccount();
          this.reviewed = await review(serverless, options);
        } catch (error) {
          throw new serverless.classes.Error(error instanceof Error ? error.message : String(error));
        }
        await bundle(serverless.serviceDir);
      },
      // A deployment replaces `service.provider` with the packaged one, so that it's read here and below.
      'before:aws:deploy:deploy:createStack': async () => {
        const { provider: deployed } = serverless.service;
        deployed.stackTags = Object.fromEntries(this.reviewed?.stackTags ?? []);
        if (options['cfn-role'] !== undefined) deployed.cfnRole = options['cfn-role'];
      },
      // The change sets before, which give a new stack its deployment bucket, have templates without parameters.
      'after:aws:deploy:deploy:checkForChanges': async () => {
        const { provider: deployed } = serverless.service;
        if (!this.reviewed) throw new serverless.classes.Error('deploy with inferdrop deploy');
        deployed.stackParameters = this.reviewed.sent;
        if (this.reviewed.isDue) deployed.shouldNotDeploy = false;
      },
      // Serverless would print the names of all functions.
      'before:deploy:finalize': async () => serverless.serviceOutputs.clear(),
      finalize: async () => {
        if (command() !== 'deploy') return;
        const { describeStack } = await import('../src/aws/account/stack.ts');
        const outputs = (await describeStack(provider.naming.getStackName()))?.outputs;
        const lines = deployedLines(outputs ?? new Map(), {
          stage: provider.getStage(),
          region: provider.getRegion(),
        });
        process.stdout.write(`${lines.join('\n')}\n`);
      },
    };
  }
}

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

async function tellAccount(): Promise<void> {
  const { account } = await import('../src/aws/account/account.ts');
  tell(accountLine(await account().identity()));
}

async function review(
  serverless: ServerlessTools,
  { param = [], tag = [], 'cfn-role': cfnRole }: ServerlessOptions,
): Promise<ReviewedDeployment> {
  const { reviewDeployment } = await import('../src/app/deployment/review-deployment.ts');
  const { account } = await import('../src/aws/account/account.ts');
  const stack = await import('../src/aws/account/stack.ts');
  const provider = serverless.getProvider('aws');
  return reviewDeployment(
    {
      stackName: provider.naming.getStackName(),
      stage: provider.getStage(),
      declared: serverless.service.resources.Parameters,
      options: param,
      tags: tag,
      cfnRole,
    },
    { account: account(), ...stack, discover, tell },
  );
}

async function discover(url: string): Promise<Discovered> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ISSUER_MS) });
    return response.ok ? { document: await response.json() } : { reason: `HTTP ${response.status}` };
  } catch (error) {
    return { reason: String(error instanceof Error ? (error.cause ?? error) : error) };
  }
}

/** The functions' code and its bill of materials, unless `INFERDROP_BUNDLES` names the folder of those that were made before. */
async function bundle(root: string): Promise<void> {
  if (process.env.INFERDROP_BUNDLES !== undefined) return;
  await promisify(execFile)(process.execPath, [path.join('scripts', 'bundle.ts')], { cwd: root });
}
