import type { CommandGroup, CommandMap, ListedCommand } from './listed-command.ts';

const listed = (
  summary: string,
  load: ListedCommand['load'],
  beside?: ListedCommand['beside'],
): ListedCommand => ({ summary, load, ...(beside && { beside }) });

/** Commands by their first word, under the headings of the overview. */
export const SECTIONS: Readonly<Record<string, Readonly<Record<string, ListedCommand | CommandGroup>>>> = {
  'This machine': {
    start: listed('Bring AWS up here and run the example', () => import('./commands/start.ts')),
    console: listed('Pages of pipelines, runs and reports', () => import('./commands/console.ts')),
    up: listed('Bring AWS up here, and nothing else', () => import('./commands/up.ts')),
    containers: {
      summary: 'Frameworks of its containers',
      alone: 'list',
      verbs: {
        list: listed('Which frameworks are installed', () => import('./commands/containers-list.ts')),
        install: listed('Install a framework', () => import('./commands/containers-install.ts')),
      },
    },
    parts: {
      summary: 'What npm installs when needed',
      alone: 'list',
      verbs: {
        list: listed('Which parts are installed, and where', () => import('./commands/parts-list.ts')),
        install: listed('Install a part', () => import('./commands/parts-install.ts')),
      },
    },
  },
  'Models and pipelines': {
    init: listed('Make a pipeline of a model and some files', () => import('./commands/init.ts')),
    model: {
      summary: 'Archives of models',
      verbs: {
        pack: listed('Pack a model as containers want it', () => import('./commands/model-pack.ts')),
        inspect: listed(
          'What is in an archive, and where it runs',
          () => import('./commands/model-inspect.ts'),
        ),
      },
    },
    pipeline: {
      summary: 'Pipelines',
      verbs: {
        list: listed('Pipelines, their last runs, what serves', () => import('./commands/pipeline-list.ts')),
        show: listed('Settings and defaults', () => import('./commands/pipeline-show.ts')),
        put: listed('Make a pipeline of the files of a folder', () => import('./commands/pipeline-put.ts')),
        delete: listed('End a pipeline; its files stay', () => import('./commands/pipeline-delete.ts')),
      },
    },
    probe: listed('Which instance and requests at once to use', () => import('./commands/probe.ts')),
  },
  Runs: {
    drop: listed('Upload a folder and run it', () => import('./commands/drop.ts')),
    runs: listed('Runs under way and ended ones', () => import('./commands/runs.ts')),
    watch: listed('Follow a run to its end', () => import('./commands/watch.ts'), {
      command: 'open',
      summary: 'Follow a run; open its report in the browser',
    }),
    open: listed('Open the report of a run in the browser', () => import('./commands/open.ts')),
    report: listed('Figures, rows or files of a run', () => import('./commands/report.ts')),
    compare: listed('Runs side by side, or trainings', () => import('./commands/compare.ts')),
    logs: listed('What the jobs of a run have written', () => import('./commands/logs.ts')),
    cancel: listed('Stop a run', () => import('./commands/cancel.ts')),
    rerun: listed("Same files, today's pipeline.json", () => import('./commands/rerun.ts'), {
      command: 'replay',
      summary: "Same files: today's settings, or the same",
    }),
    continue: listed('The rest of a sampled run', () => import('./commands/continue.ts')),
    rescore: listed("Same predictions, today's labels and gate", () => import('./commands/rescore.ts')),
    review: listed('Records to a labeling tool, and back', () => import('./commands/review.ts')),
    replay: listed('Same files, model and settings, compared', () => import('./commands/replay.ts')),
  },
  'Train and serve': {
    split: listed('Files for a training and its evaluation', () => import('./commands/split.ts')),
    train: listed("Train a pipeline's model", () => import('./commands/train.ts')),
    promote: listed("Make a training's model its pipeline's", () => import('./commands/promote.ts')),
    predict: listed('Send files through the prediction API', () => import('./commands/predict.ts')),
    endpoints: {
      summary: 'What is served',
      alone: 'list',
      verbs: {
        list: listed('What serves each pipeline, and its cost', () => import('./commands/endpoints-list.ts')),
        deploy: listed("Serve a run's model", () => import('./commands/endpoints-deploy.ts')),
        delete: listed('End an endpoint', () => import('./commands/endpoints-delete.ts')),
        logs: listed('What its containers have written', () => import('./commands/endpoints-logs.ts')),
      },
    },
  },
  Operate: {
    deploy: listed('Create or update the stack in AWS', () => import('./commands/deploy.ts'), {
      command: 'remove',
      summary: 'Create, update or delete the stack in AWS',
    }),
    remove: listed('Delete it; its bucket stays', () => import('./commands/remove.ts')),
    verify: listed('Check account, quotas and permissions', () => import('./commands/verify.ts')),
    'dead-letters': {
      summary: 'What could not be delivered',
      alone: 'list',
      verbs: {
        list: listed('What could not be delivered, and why', () => import('./commands/dead-letters-list.ts')),
        send: listed('Send it where it belongs', () => import('./commands/dead-letters-send.ts')),
      },
    },
    accelerators: {
      summary: 'Uses of Elastic Inference',
      verbs: {
        migrate: listed('List and replace them', () => import('./commands/accelerators-migrate.ts')),
      },
    },
    completion: {
      summary: 'Let the shell complete all this',
      load: async () => ({
        command: (await import('./commands/completion.ts')).completionOf(COMMANDS, namedCommands()),
      }),
    },
  },
};

/** Commands and groups by their first word. */
export const COMMANDS: CommandMap = new Map(
  Object.values(SECTIONS).flatMap((section) => Object.entries(section)),
);

/** Every command by its full name. */
export function namedCommands(): readonly (readonly [name: string, command: ListedCommand])[] {
  return [...COMMANDS].flatMap(([first, entry]) =>
    'verbs' in entry
      ? Object.entries(entry.verbs).map(([verb, command]) => [`${first} ${verb}`, command] as const)
      : [[first, entry] as const],
  );
}
