/**
 * Tag of every endpoint and transform job; its value is the bucket of the application, which names it uniquely. Policies of roles
 * (infra/) name it, too.
 */
export const APPLICATION_TAG = 'inferdrop:application';
