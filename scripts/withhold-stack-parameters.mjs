/**
 * Removes `provider.stackParameters` from the change sets that give a new stack its deployment bucket. `serverless deploy`
 * creates a stack from a template with this bucket alone, or adds it to a stack that has none, and these templates declare no
 * parameters; yet it sends all parameters, and CloudFormation refuses those that a template does not declare. The change set with
 * the whole template follows, with the parameters.
 */
export default class WithholdStackParameters {
  constructor(serverless) {
    // A deployment replaces `service.provider` with the packaged one, so it is read at each hook.
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
