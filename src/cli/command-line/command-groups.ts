/** Summaries of the command groups for the list of commands; no final stop. */
export const commandGroups: Readonly<Record<string, string>> = {
  note: 'Write, list and export notes on the logs of a case',
  saved: 'Save, list and remove searches of a case',
  cluster: 'Keep the logs of cases in ClickHouse',
  logs: 'Show the newest logs of a deployment, and set its log level',
  jobs: 'Show the jobs of a deployment',
  uploads: 'Show, add and delete uploads of a deployment',
  catalog: 'Query the service catalog of a deployment',
  properties: 'Show, check and edit the default properties of new microservices',
  profile: 'Save connection settings of deployments under names',
  upgrade: 'Prepare, start and watch an upgrade of a deployment',
};

/** Sections of the list of commands, with the first words of their commands in order. */
export const commandSections: Readonly<Record<string, readonly string[]>> = {
  'Read logs': [
    'overview',
    'investigate',
    'ui',
    'search',
    'show',
    'trace',
    'histogram',
    'top',
    'patterns',
    'diff',
    'gaps',
    'services',
    'sessions',
    'detect',
    'sql',
  ],
  'Write queries': ['check', 'format', 'explain', 'compare', 'translate', 'suggest'],
  'Fill a case': ['export', 'collect', 'import', 'index', 'coverage', 'cluster'],
  'Keep evidence': ['note', 'saved', 'verify', 'seal', 'hand-over', 'report', 'redact'],
  Administer: ['logs', 'jobs', 'uploads', 'health', 'catalog', 'properties', 'upgrade'],
  'Set up': ['sign-in', 'sign-out', 'profile', 'config', 'completion', 'complete', 'help'],
  'Try it': ['demo', 'emulate'],
};

/** The commands that a newcomer needs, in the order in which they are used. */
export const firstCommands: readonly string[] = [
  'demo',
  'export',
  'import',
  'overview',
  'investigate',
  'search',
  'ui',
  'report',
];
