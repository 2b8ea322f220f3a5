import type { Place } from '../../api/console/place.ts';
import { type Application, laptopInUse } from '../application.ts';
import { drafts } from './drafts.ts';
import { consoleRoutes } from './routes.ts';
import { type Console, serveConsole } from './server.ts';

/**
 * Serves the console of a deployment, with the clients of the command line.
 *
 * @throws the server's error, such as `EADDRINUSE`
 */
export async function openConsole(application: Application, stage: string, port: number): Promise<Console> {
  const place: Place = {
    local: laptopInUse() !== undefined,
    stage,
    region: process.env.AWS_REGION ?? '',
    apiUrl: application.apiUrl,
  };
  const made = drafts();
  const pages = await serveConsole(consoleRoutes(application, place, made), port);
  return {
    ...pages,
    async close() {
      await pages.close();
      await made.close();
    },
  };
}

/** The same at a port if it is free, else at any other. */
export async function openConsoleNear(
  application: Application,
  stage: string,
  port: number,
): Promise<Console> {
  try {
    return await openConsole(application, stage, port);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return openConsole(application, stage, 0);
    throw error;
  }
}
