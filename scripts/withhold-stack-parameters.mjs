/**
 * Keeps `provider.stackParameters` out of the change sets that give a new stack its deployment bucket. `serverless deploy` makes a
 * stack from a template that holds this bucket alone, or adds it to a stack that has none, and these templates declare no parameters;
 * yet it sends them all, and CloudFormation refuses a parameter that a template does not declare. The change set with the whole
 * template follows, and has them.
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
      'after:aws:deploy:deploy:checkForChanges': () => {
        service.provider.stackParameters = withheld;
      },
    };
  }
}
