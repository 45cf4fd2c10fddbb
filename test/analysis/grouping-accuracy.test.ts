import { expect, test } from 'vitest';
import { findPatterns } from '../../src/analysis/find-patterns.ts';
import { mergeMasks } from '../../src/analysis/mask-groups.ts';
import { maskMessage } from '../../src/analysis/mask-message.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { createRandom, type Random } from '../../src/emulator/incident/random.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { sampled } from '../effort.ts';
import { withCases } from './with-cases.ts';

/** The statements that write messages in the generator's sources: one template each, `*` for what varies. */
const templates = [
  'Request user: *, Service: *',
  "Service request '*' completed.",
  "Full request time of '*' on '*'.",
  "Operation '*' found no free connection in the pool 'hosted'.",
  "Error performing '*' operation on '*': the request timed out.",
  "Wait time for '*' service request is * milliseconds.",
  'Comment of user \'*\': "*"',
  'Comment of an anonymous visitor: "*"',
  "Health check of '*' passed.",
  "Health check of '*' failed: no answer within 5 seconds.",
  'Tile * was found in the cache.',
  'Tile * was added to the cache.',
  "Item '*' was read.",
  "Sign-in of user '*' was refused: wrong password.",
  "User '*' signed in.",
  'SOAP request received: *.',
  'SOAP request processed: *.',
  'Invalid request to \'*\': "where" is not a valid expression.',
  "Resource '*' was not found.",
  "Token for '*' is invalid or has expired.",
  "Job '*' started: *.",
  "Job '*' failed.",
  "Job '*' completed. Elapsed time '*' ms.",
  "Job 'exportLogs' completed: * logs.",
  "Connection to the relational store was refused: password authentication failed for user 'hosted_rw'.",
  "Connection pool 'hosted' is low: * of 40 connections left.",
  "Connection pool 'hosted' has run dry: 0 of 40 connections left, * requests wait.",
  "Connection pool 'hosted' opened 8 connections with the current secret.",
  'Connecting to the relational store with the secret read * hours ago.',
  "Instance of '*' has been shut down.",
  "Instance of '*' has been started.",
  'Backup of the relational store started.',
  'Backup of the relational store completed.',
  "Updated Kubernetes Secret '*'.",
  "Process of '*' crashed and was started again.",
  'Rotation of secrets completed: 1 secret updated, 0 microservices restarted.',
  'Log level changed from * to *.',
  'Restart of * services requested.',
];

const shapes = templates.map(
  (template) =>
    new RegExp(
      `^${template
        .split('*')
        .map((text) => text.replace(/[.()?]/g, '\\$&'))
        .join('.*')}$`,
      's',
    ),
);

/** The template of a message; the message itself where no statement is known. */
function templateOf(message: string): string {
  return templates[shapes.findIndex((shape) => shape.test(message))] ?? message;
}

/** Returns the share of the messages in a group that is exactly that of their template (Zhu et al., 2019). */
function groupingAccuracy(messages: readonly string[], truth: readonly string[]): number {
  const masks = [...new Set(messages.map(maskMessage))];
  const merged = mergeMasks(masks);
  const groupOf = new Map(masks.map((mask, index) => [mask, merged.templateOf[index] ?? -1]));
  const groups = messages.map((message) => groupOf.get(maskMessage(message)) ?? -1);
  const count = <T>(keys: readonly T[]) =>
    keys.reduce((counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1), new Map<T, number>());
  const [found, expected] = [count(groups), count(truth)];
  const shared = count(groups.map((group, index) => `${group} ${truth[index]}`));
  const right = groups.filter((group, index) => {
    const both = shared.get(`${group} ${truth[index]}`);
    return both === found.get(group) && both === expected.get(truth[index] ?? '');
  });
  return right.length / messages.length;
}

test.each(sampled([1, 2, 3], 1))(
  'messages of the incident are grouped by their statements, seed %i',
  (seed) => {
    const messages = [...incidentLogs({ count: 3000, seed })].map(({ msg = '' }) => msg);
    expect(new Set(messages.map(templateOf)).size).toBeLessThanOrEqual(templates.length);
    expect(groupingAccuracy(messages, messages.map(templateOf))).toBeGreaterThanOrEqual(0.98);
  },
);

/** Values of a kind, drawn anew for each message. */
type Draw = (random: Random) => string | number;

const hexOf = (length: number) => (random: Random) =>
  Array.from({ length }, () => random.integer(0, 15).toString(16)).join('');
const between = (least: number, most: number) => (random: Random) => random.integer(least, most);
const one = (texts: readonly string[]) => (random: Random) =>
  texts[random.integer(0, texts.length - 1)] ?? '';
const decimal: Draw = (random) => (random.integer(1, 99_999) / 100).toFixed(2);
const address: Draw = (random) =>
  `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`;
const endpoint: Draw = (random) => `/${address(random)}:${random.integer(1024, 65_535)}`;
const uuid: Draw = (random) => [8, 4, 4, 4, 12].map((length) => hexOf(length)(random)).join('-');
const block: Draw = (random) => `blk_${random.next() < 0.5 ? '-' : ''}${random.integer(1e8, 2e9)}`;
const path: Draw = (random) => `/var/data/volume${random.integer(1, 90)}/part-${random.integer(0, 99_999)}`;
/** The alphabet and the lengths that Kubernetes takes for names of pods. */
const pod: Draw = (random) => {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  const text = (length: number) => Array.from({ length }, () => letters[random.integer(0, 26)]).join('');
  return `tiles-${text(10)}-${text(5)}`;
};
const user = one('root admin oracle guest test backup postgres ftpuser alice bob carol dave erin'.split(' '));
const host = one(
  'atlas borea cetus draco eridu fornax grus hydra indus lepus lyra norma'
    .split(' ')
    .map((name) => `${name}.example.org`),
);

const processes = 'java node postgres web init cache proxy queue mailer'.split(' ');

/** Messages as well-known systems write them, in words of our own, with their statements grouped by hand. */
const foreign: readonly (readonly [form: string, ...values: Draw[]])[] = [
  // A distributed file system.
  ['Receiving block * src: * dest: *', block, endpoint, endpoint],
  ['Stored block * of * bytes from *', block, between(1, 67_108_864), endpoint],
  ['Handler * for block * is ending', between(0, 2), block],
  ['Namenode: add stored block: node * holds * with length *', endpoint, block, between(1, 67_108_864)],
  ['Verified * without a problem', block],
  // A secure shell.
  ['Refused password of * from * port * ssh2', user, address, between(1024, 65_535)],
  ['Refused password of unknown user * from * port * ssh2', user, address, between(1024, 65_535)],
  ['Accepted key of * from * port * ssh2: RSA SHA256:*', user, address, between(1024, 65_535), hexOf(16)],
  ['Peer * closed the connection [preauth]', address],
  ['Name * of * does not lead back to that address', host, address],
  // Web servers.
  ['client denied by the rules of this server: *', path],
  [
    'upstream answered after * ms with status * while reading "*"',
    between(1, 60_000),
    one(['502', '503', '504']),
    path,
  ],
  ['worker * of pool * is ready', between(1, 900), between(1, 8)],
  // A coordination service.
  [
    'Session * of client * expired after * ms',
    (random) => `0x${hexOf(16)(random)}`,
    endpoint,
    between(4000, 40_000),
  ],
  ['New election: my id = *, proposed epoch = *', between(1, 5), (random) => `0x${hexOf(9)(random)}`],
  // Jobs on a cluster.
  [
    'Task * of stage * (TID *) finished in * ms on * (*/*)',
    (random) => `${random.integer(0, 90)}.0`,
    (random) => `${random.integer(0, 90)}.0`,
    between(1, 9999),
    between(1, 9999),
    host,
    between(1, 200),
    between(1, 200),
  ],
  [
    'Block * is in memory on * (size: * KB, free: * MB)',
    (random) => `rdd_${random.integer(0, 99)}_${random.integer(0, 99)}`,
    host,
    decimal,
    decimal,
  ],
  // A cloud.
  ['[instance: *] The machine is running', uuid],
  ['[instance: *] Took * seconds to start the machine', uuid, decimal],
  [
    '* "GET /v2/*/servers" status: * len: * time: *',
    address,
    hexOf(32),
    one(['200', '404']),
    between(100, 9000),
    decimal,
  ],
  // Containers.
  [
    'Pulled image "*" in *s',
    (random) => `registry.example.org/maps/tiles:${random.integer(1, 9)}.${random.integer(0, 9)}`,
    decimal,
  ],
  ['Back-off before container * of pod * starts again', one(processes), pod],
  ['Probe of pod * failed: HTTP status *', pod, one(['500', '503'])],
  // A database.
  ['duration: * ms  statement: select *', decimal, (random) => `${random.integer(1, 9)}`],
  ['checkpoint ended: wrote * buffers (*%); sync=* s', between(1, 9999), decimal, decimal],
  [
    'process * still waits for ShareLock on transaction * after * ms',
    between(100, 9999),
    between(1, 9e6),
    decimal,
  ],
  // Operating systems.
  ['CPU*: temperature above threshold, clock throttled (events = *)', between(0, 63), between(1, 9999)],
  ['eth*: link is up at * Mbps', between(0, 3), one(['100', '1000', '10000'])],
  ['Out of memory: ended process * (*) total-vm:*kB', between(100, 9999), one(processes), between(1e5, 9e6)],
  [
    'Package * changed to state Installed [HRESULT = 0x00000000]',
    (random) => `KB${random.integer(1e6, 9e6)}`,
  ],
];

test.each(sampled([1, 2, 3], 1))(
  'messages in the form of other systems are grouped by their statements, seed %i',
  (seed) => {
    const random = createRandom(seed);
    const drawn = foreign.flatMap(([form, ...values]) =>
      Array.from({ length: 40 }, () => {
        const rest = [...values];
        return { form, message: form.replace(/\*/g, () => String(rest.shift()?.(random) ?? '*')) };
      }),
    );
    const [messages, truth] = [drawn.map(({ message }) => message), drawn.map(({ form }) => form)];
    const wrong = foreign.flatMap(([form]) => {
      const own = messages.filter((_, index) => truth[index] === form);
      return groupingAccuracy(
        own,
        own.map(() => form),
      ) < 1
        ? [form]
        : [];
    });
    expect({ wrong, isEnough: 0.98 <= groupingAccuracy(messages, truth) }).toEqual({ wrong, isEnough: true });
  },
);

test('two runs give the same ids, whatever the order of the logs', async () => {
  const logs = [...incidentLogs({ count: 600, seed: 4 })];
  const idsOf = (each: readonly (typeof logs)[number][]) =>
    withCases([each], async (cases) =>
      (await findPatterns(cases, { filter: matchAllFilter })).patterns.map(
        ({ id, count }) => `${id} ${count}`,
      ),
    );
  const ids = await idsOf(logs);
  expect(await idsOf(logs)).toEqual(ids);
  expect(await idsOf(logs.toReversed())).toEqual(ids);
});
