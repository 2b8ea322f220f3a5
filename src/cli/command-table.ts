import type { CommandGroup, CommandMap, ListedCommand } from './listed-command.ts';

/** Commands by their first word, under the headings of the overview. */
export const SECTIONS: Readonly<Record<string, Readonly<Record<string, ListedCommand | CommandGroup>>>> = {
  'This machine': {
    start: { summary: 'Bring AWS up here and run the example', load: () => import('./commands/start.ts') },
    console: {
      summary: 'Pages of pipelines, runs and reports',
      load: () => import('./commands/console.ts'),
    },
    up: { summary: 'Bring AWS up here, and nothing else', load: () => import('./commands/up.ts') },
    containers: {
      summary: 'Frameworks of its containers',
      alone: 'list',
      verbs: {
        list: {
          summary: 'Which frameworks are installed',
          load: () => import('./commands/containers-list.ts'),
        },
        install: { summary: 'Install a framework', load: () => import('./commands/containers-install.ts') },
      },
    },
    parts: {
      summary: 'What npm installs when needed',
      alone: 'list',
      verbs: {
        list: {
          summary: 'Which parts are installed, and where',
          load: () => import('./commands/parts-list.ts'),
        },
        install: { summary: 'Install a part', load: () => import('./commands/parts-install.ts') },
      },
    },
  },
  'Models and pipelines': {
    init: { summary: 'Make a pipeline of a model and some files', load: () => import('./commands/init.ts') },
    model: {
      summary: 'Archives of models',
      verbs: {
        pack: {
          summary: 'Pack a model as containers want it',
          load: () => import('./commands/model-pack.ts'),
        },
        inspect: {
          summary: 'What is in an archive, and where it runs',
          load: () => import('./commands/model-inspect.ts'),
        },
      },
    },
    pipeline: {
      summary: 'Pipelines',
      verbs: {
        list: {
          summary: 'Pipelines, their last runs, what serves',
          load: () => import('./commands/pipeline-list.ts'),
        },
        show: { summary: 'Settings and defaults', load: () => import('./commands/pipeline-show.ts') },
        put: {
          summary: 'Make a pipeline of the files of a folder',
          load: () => import('./commands/pipeline-put.ts'),
        },
        delete: {
          summary: 'End a pipeline; its files stay',
          load: () => import('./commands/pipeline-delete.ts'),
        },
      },
    },
    probe: {
      summary: 'Which instance and requests at once to use',
      load: () => import('./commands/probe.ts'),
    },
  },
  Runs: {
    drop: { summary: 'Upload a folder and run it', load: () => import('./commands/drop.ts') },
    runs: { summary: 'Runs under way and ended ones', load: () => import('./commands/runs.ts') },
    watch: {
      summary: 'Follow a run to its end',
      beside: { command: 'open', summary: 'Follow a run; open its report in the browser' },
      load: () => import('./commands/watch.ts'),
    },
    open: { summary: 'Open the report of a run in the browser', load: () => import('./commands/open.ts') },
    report: { summary: 'Figures, rows or files of a run', load: () => import('./commands/report.ts') },
    compare: { summary: 'Runs side by side, or trainings', load: () => import('./commands/compare.ts') },
    logs: { summary: 'What the jobs of a run have written', load: () => import('./commands/logs.ts') },
    cancel: { summary: 'Stop a run', load: () => import('./commands/cancel.ts') },
    rerun: {
      summary: "Same files, today's pipeline.json",
      beside: { command: 'replay', summary: "Same files: today's settings, or the same" },
      load: () => import('./commands/rerun.ts'),
    },
    continue: {
      summary: 'The rest of a sampled run',
      load: () => import('./commands/continue.ts'),
    },
    rescore: {
      summary: "Same predictions, today's labels and gate",
      load: () => import('./commands/rescore.ts'),
    },
    review: {
      summary: 'Records to a labeling tool, and back',
      load: () => import('./commands/review.ts'),
    },
    replay: {
      summary: 'Same files, model and settings, compared',
      load: () => import('./commands/replay.ts'),
    },
  },
  'Train and serve': {
    split: {
      summary: 'Files for a training and its evaluation',
      load: () => import('./commands/split.ts'),
    },
    train: { summary: "Train a pipeline's model", load: () => import('./commands/train.ts') },
    promote: {
      summary: "Make a training's model its pipeline's",
      load: () => import('./commands/promote.ts'),
    },
    predict: {
      summary: 'Send files through the prediction API',
      load: () => import('./commands/predict.ts'),
    },
    endpoints: {
      summary: 'What is served',
      alone: 'list',
      verbs: {
        list: {
          summary: 'What serves each pipeline, and its cost',
          load: () => import('./commands/endpoints-list.ts'),
        },
        deploy: { summary: "Serve a run's model", load: () => import('./commands/endpoints-deploy.ts') },
        delete: { summary: 'End an endpoint', load: () => import('./commands/endpoints-delete.ts') },
        logs: {
          summary: 'What its containers have written',
          load: () => import('./commands/endpoints-logs.ts'),
        },
      },
    },
  },
  Operate: {
    deploy: {
      summary: 'Create or update the stack in AWS',
      beside: { command: 'remove', summary: 'Create, update or delete the stack in AWS' },
      load: () => import('./commands/deploy.ts'),
    },
    remove: { summary: 'Delete it; its bucket stays', load: () => import('./commands/remove.ts') },
    verify: { summary: 'Check account, quotas and permissions', load: () => import('./commands/verify.ts') },
    'dead-letters': {
      summary: 'What could not be delivered',
      alone: 'list',
      verbs: {
        list: {
          summary: 'What could not be delivered, and why',
          load: () => import('./commands/dead-letters-list.ts'),
        },
        send: { summary: 'Send it where it belongs', load: () => import('./commands/dead-letters-send.ts') },
      },
    },
    accelerators: {
      summary: 'Uses of Elastic Inference',
      verbs: {
        migrate: {
          summary: 'List and replace them',
          load: () => import('./commands/accelerators-migrate.ts'),
        },
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
