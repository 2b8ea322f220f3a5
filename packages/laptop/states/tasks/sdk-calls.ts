import type { SdkService } from '../definition/integration.ts';

/** Calls of real SDK clients, by service and by action as in `getObject`. */
export interface SdkCalls {
  /** Whether the service's client has this action. */
  has(service: SdkService, action: string): Promise<boolean>;
  /**
   * The answer as the client gives it.
   *
   * @throws {SdkFailure}
   */
  call(
    service: SdkService,
    action: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

/** The service answered with an error. */
export class SdkFailure extends Error {
  override readonly name = 'SdkFailure';
  /** As in `NoSuchKey`. */
  readonly code: string;
  /** Whether the service's model names this error, as AWS's Java clients see it. */
  readonly isModelled: boolean;

  constructor(code: string, isModelled: boolean, message: string) {
    super(message);
    this.code = code;
    this.isModelled = isModelled;
  }
}
