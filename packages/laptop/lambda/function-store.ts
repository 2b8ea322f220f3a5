import { join } from 'node:path';
import { AwsError } from '../kernel/aws-error.ts';
import type { InvokeResult, ObjectAccess } from '../kernel/ports.ts';
import { openDocuments } from '../storage/document-file.ts';
import { createConcurrency } from './concurrency.ts';
import { removeUnusedCode, unpackCode } from './function-code.ts';
import { type FunctionConfig, FunctionRecord } from './function-config.ts';
import { createPools, type PoolsOptions } from './function-pools.ts';
import { functionArn, LATEST, parseFunctionReference } from './function-reference.ts';

/** Functions, their code on disk and their warm instances. */
export interface FunctionStore {
  records(): FunctionRecord[];
  has(target: string): boolean;
  /** @throws {AwsError} `ResourceNotFoundException` */
  record(target: string): FunctionRecord;
  /** @throws {AwsError} `ResourceNotFoundException`, also for a version or an alias: none is published */
  config(target: string): FunctionConfig;
  /** Replaces the record; instances of an older one end when they have answered. */
  put(record: FunctionRecord): void;
  delete(name: string): void;
  /** Unzips an object once for each content. @throws {AwsError} `InvalidParameterValueException` */
  unpack(
    bucket: string,
    key: string,
  ): Promise<Pick<FunctionConfig, 'codeFolder' | 'codeSha256' | 'codeSize'>>;
  /** @throws {AwsError} `TooManyRequestsException` where the function's share of concurrent executions is used up */
  invoke(target: string, requestId: string, payload: Buffer): Promise<InvokeResult>;
  /** @throws {AwsError} `InvalidParameterValueException` where a function would leave too little for the others */
  checkReservation(name: string, reserved: number): void;
  close(): Promise<void>;
}

/** Opens the functions kept in `dir`. */
export function openFunctionStore(
  deps: PoolsOptions & {
    readonly objects: ObjectAccess;
    /** Whether Lambda may act as the role of a function. */
    readonly mayAssume: (roleArn: string, functionArn: string) => boolean;
    /** Executions at a time of the whole account. */
    readonly concurrency: number;
  },
): FunctionStore {
  const { dir, site } = deps;
  const documents = openDocuments(join(dir, 'functions.json'), FunctionRecord);
  const pools = createPools(deps);
  const concurrency = createConcurrency(deps.concurrency, () => documents.values());

  const find = (target: string): FunctionRecord => {
    const { name } = parseFunctionReference(target);
    const record = documents.get(name);
    if (record) return record;
    throw notFound(functionArn(site, name));
  };
  const configOf = (target: string): FunctionConfig => {
    const record = find(target);
    const { qualifier } = parseFunctionReference(target);
    if (qualifier === LATEST) return record.latest;
    throw notFound(`${functionArn(site, record.name)}:${qualifier}`);
  };
  removeUnusedCode(dir, documents.values());
  return {
    records: () => [...documents.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    has: (target) => documents.get(parseFunctionReference(target).name) !== undefined,
    record: find,
    config: configOf,
    put: (record) => {
      const before = documents.get(record.name);
      documents.set(record.name, record);
      if (before && JSON.stringify(before.latest) !== JSON.stringify(record.latest))
        pools.retire(record.name);
    },
    delete: (name) => {
      documents.delete(name);
      pools.retire(name);
    },
    unpack: (bucket, key) => unpackCode(dir, deps.objects, { bucket, key }),
    invoke: async (target, requestId, payload) => {
      const record = find(target);
      const config = configOf(target);
      if (!deps.mayAssume(config.role, functionArn(site, record.name)))
        throw new AwsError(
          'AccessDeniedException',
          'The role defined for the function cannot be assumed by Lambda.',
          { statusCode: 403 },
        );
      return concurrency.run(record, () => pools.of(record.name, config).invoke(requestId, payload));
    },
    checkReservation: concurrency.checkReservation,
    close: () => pools.close(),
  };
}

function notFound(arn: string): AwsError {
  return new AwsError('ResourceNotFoundException', `Function not found: ${arn}`, {
    statusCode: 404,
    details: { Type: 'User' },
  });
}
