/** Files of `expected.ndjson` whose answer is wrong today. A file that has become right must leave the list. */
export const notRight: ReadonlySet<string> = new Set([
  ...['filebeat.ndjson', 'docker-json.log', 'docker-lines.log', 'kubectl-timestamps.log', 'logcli.jsonl'],
  ...['grafana.csv', 'cloudwatch.json', 'gcloud.json', 'splunk.csv', 'elasticdump.ndjson'],
  ...['fluent-bit-merged.ndjson', 'audit.log', 'filebeat-5.ndjson', 'docker-plain.log', 'access.ndjson'],
  ...['crcrlf.csv', 'two-headings.csv', 'compact-times.csv', 'serial-times.csv', 'german.csv'],
  ...['logback.ndjson', 'pino.ndjson', 'ecs-dotted.ndjson', 'ecs-nested.ndjson', 'web-adaptor.csv'],
  ...['capitals.csv'],
  ...['has-more.json', 'total.json', 'error-page.json'],
  ...['error.json', 'overlap.json'],
  ...['own.xlsx', 'own-ecs.ndjson', 'own-otlp.json'],
]);
