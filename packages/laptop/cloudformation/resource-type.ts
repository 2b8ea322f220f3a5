import type { Site } from '../kernel/service.ts';

/** Where in which stack a resource stands. */
export interface ResourceContext {
  readonly stackName: string;
  readonly logicalId: string;
  /** From an earlier deployment of the same logical resource, if there was one. */
  readonly physicalId: string | undefined;
  readonly site: Site;
}

/** A resource as other resources of its template see it. */
export interface AppliedResource {
  /** Value of `Ref`. */
  readonly ref: string;
  /** Values of `Fn::GetAtt`, by attribute name. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Identity of the resource at the next deployment; `ref` if absent. */
  readonly physicalId?: string;
}

/** How one CloudFormation type is made on this stack. Properties arrive with every intrinsic function resolved. */
export interface ResourceType {
  /**
   * Makes the resource, or brings the one of an earlier deployment to these properties; data in it is kept.
   *
   * @throws {AwsError} `ValidationError` naming the property and value that this stack does not understand
   */
  apply(properties: Readonly<Record<string, unknown>>, context: ResourceContext): Promise<AppliedResource>;
  /** Called when a later template no longer has the resource. */
  remove(physicalId: string): Promise<void>;
  /** Finds a resource that was made outside any stack, for an import. Types without it can't be imported here. */
  find?(identifier: Readonly<Record<string, string>>, site: Site): AppliedResource | undefined;
}

/** Keyed by type, as in `AWS::S3::Bucket`. Each service folder has a `resources.ts` that makes its own. */
export type ResourceTypes = Readonly<Record<string, ResourceType>>;
