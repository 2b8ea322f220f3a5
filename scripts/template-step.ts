/** A CloudFormation template, as far as steps look into it. */
export interface Template {
  readonly Resources: Record<string, Resource | undefined>;
}

export interface Resource {
  readonly Type: string;
  Properties?: Record<string, unknown>;
}

/** Changes the merged template in place; `service` is the whole of serverless.yml, resolved. */
export type TemplateStep = (template: Template, service: { readonly custom: unknown }) => void;
