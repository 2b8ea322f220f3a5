import { join } from 'node:path';
import { type Documents, openDocuments } from '../storage/document-file.ts';
import { Api, Authorizer, Integration, Route, Stage } from './api-record.ts';
import { createRouter, type Router } from './router.ts';

/** The APIs of the stack and all that belongs to them. */
export interface ApiStore {
  readonly apis: Documents<Api>;
  /** Stages by `<api>/<stage>`; the other tables have keys of the same form: see `memberKey`. */
  readonly stages: Documents<Stage>;
  readonly integrations: Documents<Integration>;
  readonly authorizers: Documents<Authorizer>;
  readonly routes: Documents<Route>;
  /** Made once for the routes that there are. */
  routerOf(apiId: string): Router;
}

/** Key of an API's route, integration or other member. */
export function memberKey(apiId: string, memberId: string): string {
  return `${apiId}/${memberId}`;
}

/** Opens the APIs kept in `dir`. */
export function openApiStore(dir: string): ApiStore {
  const routers = new Map<string, Router>();
  const routes = openDocuments(join(dir, 'routes.json'), Route);
  return {
    apis: openDocuments(join(dir, 'apis.json'), Api),
    stages: openDocuments(join(dir, 'stages.json'), Stage),
    integrations: openDocuments(join(dir, 'integrations.json'), Integration),
    authorizers: openDocuments(join(dir, 'authorizers.json'), Authorizer),
    routes: {
      get: (key) => routes.get(key),
      values: () => routes.values(),
      set: (key, route) => {
        routers.delete(route.apiId);
        routes.set(key, route);
      },
      delete: (key) => {
        routers.clear();
        return routes.delete(key);
      },
    },
    routerOf(apiId) {
      const known = routers.get(apiId);
      if (known) return known;
      const made = createRouter([...routes.values()].filter((route) => route.apiId === apiId));
      routers.set(apiId, made);
      return made;
    },
  };
}
