/** Summaries of the command groups for the list of commands; no final stop. */
export const commandGroups: Readonly<Record<string, string>> = {
  logs: 'Look at the newest logs of a deployment, and set which it writes',
  jobs: 'Look at the jobs of a deployment',
  uploads: 'Look at, add and delete the uploads of a deployment',
  catalog: 'Ask the service catalog of a deployment',
  properties: 'Look at, check and edit the default properties of new microservices',
  profile: 'Keep the ways to deployments under names',
  upgrade: 'Prepare, start and watch an upgrade of a deployment',
};
