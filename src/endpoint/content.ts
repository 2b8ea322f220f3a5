import type { EndpointHardware } from '../endpoints/kind.ts';
import { withInstances } from '../endpoints/kinds.ts';
import type { StackSettings } from '../run/stack-settings.ts';

/** Content of an endpoint configuration: two with the same content are the same. */
export interface EndpointContent {
  readonly model: {
    readonly sha256: string;
    readonly imageUri: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly executionRoleArn: string;
    /** Absent without isolation, so that earlier deployments keep their names. */
    readonly networkIsolation?: true;
    readonly vpc: StackSettings['vpc'];
  };
  readonly hardware: EndpointHardware;
  readonly kmsKeyArn: string | null;
}

/** The smallest form of a content that answers as the full one would: one instance. What is paid by use has no smaller form. */
export function toCandidateContent(content: EndpointContent): EndpointContent {
  return contentWithInstances(content, 1);
}

/** Content with another number of instances, if it has instances. */
export function contentWithInstances(content: EndpointContent, count: number): EndpointContent {
  return { ...content, hardware: withInstances(content.hardware, count) };
}
