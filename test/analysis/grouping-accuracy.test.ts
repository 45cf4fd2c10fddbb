import { expect, test } from 'vitest';
import { findPatterns, maskMessage } from '../../src/analysis/index.ts';
import { mergeMasks } from '../../src/analysis/message-patterns/merge-masks.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { matchAllFilter } from '../../src/meaning/filter.ts';
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
function groupingAccuracy(messages: readonly string[]): number {
  const masks = [...new Set(messages.map(maskMessage))];
  const merged = mergeMasks(masks);
  const groupOf = new Map(masks.map((mask, index) => [mask, merged.templateOf[index] ?? -1]));
  const groups = messages.map((message) => groupOf.get(maskMessage(message)) ?? -1);
  const truth = messages.map(templateOf);
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

test.each([1, 2, 3])('messages of the incident are grouped by their statements, seed %i', (seed) => {
  const messages = [...incidentLogs({ count: 3000, seed })].map(({ msg = '' }) => msg);
  expect(new Set(messages.map(templateOf)).size).toBeLessThanOrEqual(templates.length);
  expect(groupingAccuracy(messages)).toBeGreaterThanOrEqual(0.98);
});

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
