import { readFileSync } from 'node:fs';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { roleStatements } from '../../src/cluster/schema.ts';
import { run } from '../cli/run-in-process.ts';

const read = (name: string) => readFileSync(`samples/cluster/${name}`, 'utf8');

const xml = new XMLParser({
  ignoreAttributes: false,
  isArray: (name) => ['shard', 'replica', 'node', 'server'].includes(name),
});

/** Hosts that the configurations name: of the shards, of the Keepers as servers, and of the Keepers among themselves. */
function hostsOf(server: string, keeper: string) {
  for (const text of [server, keeper]) expect(XMLValidator.validate(text)).toBe(true);
  const { clickhouse } = xml.parse(server);
  const { raft_configuration: raft } = xml.parse(keeper).clickhouse.keeper_server;
  const { shard } = clickhouse.remote_servers.logs;
  expect(clickhouse.macros).toEqual({
    shard: [{ '@_from_env': 'SHARD' }],
    replica: [{ '@_from_env': 'REPLICA' }],
  });
  return {
    shards: shard.map(({ replica }: { replica: { host: string }[] }) => replica.map(({ host }) => host)),
    keepers: clickhouse.zookeeper.node.map(({ host }: { host: string }) => host),
    raft: raft.server.map(({ id, hostname }: { id: number; hostname: string }) => [id, hostname]),
  };
}

describe('three shards with replicas', () => {
  test('as services of Docker Compose: every name is that of a service, with its number', () => {
    const { services, volumes, configs } = parse(read('compose.yaml'), { merge: true });
    const { shards, keepers, raft } = hostsOf(configs.server.content, configs.keeper.content);
    expect(Object.keys(services)).toEqual([...keepers, ...shards.flat()]);
    expect(Object.keys(volumes)).toEqual(Object.keys(services));
    for (const [id, host] of raft) expect(services[host].environment.KEEPER_ID).toBe(String(id));
    for (const [index, shard] of shards.entries())
      expect(shard.map((host: string) => services[host].environment)).toMatchObject([
        { SHARD: String(index + 1), REPLICA: 'a' },
        { SHARD: String(index + 1), REPLICA: 'b' },
      ]);
    const images = new Set(Object.values<{ image: string }>(services).map(({ image }) => image));
    expect([...images]).toEqual(['clickhouse/clickhouse-keeper:26.7', 'clickhouse/clickhouse-server:26.7']);
  });

  test('in Kubernetes: every name is that of a pod behind a service', () => {
    const documents = parseAllDocuments(read('kubernetes.yaml'));
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const objects = documents.map((each) => each.toJS());
    const found = (kind: string, name: string) =>
      objects.find((each) => each.kind === kind && each.metadata.name === name);
    const { data } = found('ConfigMap', 'clickhouse');
    const { shards, keepers, raft } = hostsOf(data['logquarry.xml'], data['keeper_config.xml']);
    const pods = (name: string) =>
      Array.from(
        { length: found('StatefulSet', name).spec.replicas },
        (_, index) => `${name}-${index}.${name}`,
      );
    expect(keepers).toEqual(pods('keeper'));
    expect(raft).toEqual(pods('keeper').map((host, index) => [index + 1, host]));
    const servers = pods('logs');
    expect(shards).toEqual([0, 1, 2].map((index) => [servers[index], servers[index + 3]]));
    for (const name of ['keeper', 'logs']) {
      const { spec } = found('StatefulSet', name);
      expect(found('Service', spec.serviceName).spec.selector).toEqual(spec.template.metadata.labels);
    }
  });
});

test('the statements of the manual are those that are printed', async () => {
  const manual = readFileSync('docs/cluster.md', 'utf8');
  const shown = manual
    .split('\n')
    .flatMap((line) => /^ {4}((?:CREATE ROLE|GRANT) .*`gis.*;)$/.exec(line)?.[1] ?? []);
  expect(shown).toEqual(roleStatements('gis').map((each) => `${each};`));
  const { out } = await run(['cluster', 'init', 'clickhouse://logs.example.com/gis', '--print']);
  expect(out.split('\n')).toEqual(expect.arrayContaining(shown));
  // Tables that the manual names, and no others.
  const tables = [...out.matchAll(/CREATE TABLE IF NOT EXISTS `gis`\.(\w+) /g)].map(([, name]) => name);
  const views = [...out.matchAll(/CREATE OR REPLACE VIEW `gis`\.(\w+) /g)].map(([, name]) => name);
  const named = manual.slice(
    manual.indexOf('## Tables and views'),
    manual.indexOf('`logquarry translate` prints'),
  );
  const cells = named.split('\n').flatMap((line) => line.split('|')[1]?.match(/`(\w+)`/g) ?? []);
  expect(cells.map((each) => each.replaceAll('`', '')).toSorted()).toEqual([...tables, ...views].toSorted());
});

test('the statements for three shards name the cluster and the macros of the samples', async () => {
  const words = /logquarry (cluster init .*)/.exec(read('compose.yaml'))?.[1]?.split(' ') ?? [];
  expect(words).toEqual(expect.arrayContaining(['--cluster', 'logs', '--replicated']));
  const { code, out } = await run([...words, '--print']);
  expect(code).toBe(0);
  const statements = out.trimEnd().split('\n');
  for (const each of statements) expect(each).toMatch(/ON CLUSTER `logs`/);
  expect(out.match(/ENGINE = ReplicatedMergeTree /g)).toHaveLength(7);
  expect(out.match(/ENGINE = Distributed\(`logs`, /g)).toHaveLength(10);
});
