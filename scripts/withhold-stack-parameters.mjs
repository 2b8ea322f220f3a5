/**
 * Keeps `provider.stackParameters` out of a stack's first change set. `serverless deploy` makes a new stack from a template that
 * holds the deployment bucket alone and declares no parameters, yet sends them all, and CloudFormation refuses a parameter that a
 * template does not declare. The change set with the whole template follows, and has them.
 */
export default class WithholdStackParameters {
  constructor(serverless) {
    // A deployment replaces `service.provider` with what was packaged, so it is looked up at each hook.
    const { service } = serverless;
    let withheld;
    this.hooks = {
      'before:aws:deploy:deploy:createStack': () => {
        withheld = service.provider.stackParameters;
        delete service.provider.stackParameters;
      },
      'after:aws:deploy:deploy:createStack': () => {
        service.provider.stackParameters = withheld;
      },
    };
  }
}
