/** Summaries of the command groups for the list of commands; no final stop. */
export const commandGroups: Readonly<Record<string, string>> = {
  logs: 'Show the newest logs of a deployment, and set its log level',
  jobs: 'Show the jobs of a deployment',
  uploads: 'Show, add and delete uploads of a deployment',
  catalog: 'Query the service catalog of a deployment',
  properties: 'Show, check and edit the default properties of new microservices',
  profile: 'Save connection settings of deployments under names',
  upgrade: 'Prepare, start and watch an upgrade of a deployment',
};
