import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { openServiceFolder } from '#service-folder';
import { installPart } from '../../../scripts/parts.mjs';
import { defaulted, valued } from '../define-command.ts';
import { ROOT } from '../root-folder.ts';
import { requireAccount } from './require-account.ts';

/** Options of both commands. */
export const DEPLOYMENT = {
  stage: defaulted('dev', 'NAME', 'the deployment'),
  region: valued('REGION', "the region, else that of AWS's own settings"),
  param: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    text: 'a parameter of the template, repeatable; each keeps its deployed value otherwise',
  },
  'aws-profile': valued('NAME', 'profile of the credentials, else AWS_PROFILE'),
} as const;

/** Values of {@link DEPLOYMENT}. */
interface Deployment {
  readonly stage: string;
  readonly region?: string | undefined;
  readonly param?: readonly string[] | undefined;
  readonly 'aws-profile'?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly 'cfn-role'?: string | undefined;
}

/** Runs a command of osls on serverless.yml; the plugins there do inferdrop's part. */
export async function runOsls(
  command: 'deploy' | 'remove',
  { stage, region, param = [], 'aws-profile': profile, tag = [], 'cfn-role': role }: Deployment,
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const place = await requireAccount({ region, profile });
  const osls = createRequire(installPart('osls', ROOT)).resolve('serverless/bin/serverless.js');
  const service = await openServiceFolder();
  try {
    const args = [osls, command, '--stage', stage, '--region', place];
    if (profile !== undefined) args.push('--aws-profile', profile);
    for (const one of param) args.push('--param', one);
    // With an equals sign, since a key may begin with a hyphen.
    for (const one of tag) args.push(`--tag=${one}`);
    if (role !== undefined) args.push(`--cfn-role=${role}`);
    const child = spawn(process.execPath, args, {
      cwd: service.folder,
      stdio: 'inherit',
      env: { ...process.env, ...service.environment, ...environment },
    });
    // Ctrl-C also reaches the child, which exits on its own.
    const wait = (): void => undefined;
    process.on('SIGINT', wait);
    const [code]: unknown[] = await once(child, 'exit');
    process.off('SIGINT', wait);
    return typeof code === 'number' ? code : 1;
  } finally {
    await service.close();
  }
}
