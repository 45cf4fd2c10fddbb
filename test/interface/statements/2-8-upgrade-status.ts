import { expect } from 'vitest';
import { readUpgradeStatus, startUpgrade } from '../../../src/client/upgrades.ts';
import { progressOf, type UpgradeStatus, upgradeMessageCodes } from '../../../src/protocol/upgrades.ts';
import { statusExample } from '../parties/examples.ts';
import { type Reference, updateOf } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import {
  byHand,
  client,
  deployment,
  isTime,
  isWhole,
  isWord,
  type Section,
  type Statement,
} from './statement.ts';

/** The last upgrade of each shared deployment is by this. */
const versions = { release: '11.1', patch: '11.2' } as const;

/** States of the finished upgrades by a release and by a patch. */
async function finished({ at }: Reference): Promise<readonly UpgradeStatus[]> {
  return Promise.all(Object.values(versions).map(async (version) => (await at(version)).calls.status()));
}

interface Codes {
  readonly codes: readonly number[];
  readonly says: string;
  /** The upgrades that write them. */
  readonly by: readonly (keyof typeof versions)[];
  /** Content of the text of the message. */
  readonly text?: RegExp;
}

const both = ['release', 'patch'] as const;
const release = ['release'] as const;

const rows: readonly Codes[] = [
  {
    codes: [2010],
    says: 'upgrade process started (from version to version)',
    by: both,
    text: /version 11\.\S+ to version 11\./,
  },
  {
    codes: [2011],
    says: 'upgrade process completed, with elapsed time',
    by: both,
    text: /Elapsed time: \d+ hours, \d+ minutes/,
  },
  { codes: [2012], says: 'deployment upgraded successfully', by: both },
  { codes: [2168], says: 'launching upgrader', by: both },
  { codes: [2165, 2166], says: 'system going into, coming out of read-only mode', by: both },
  { codes: [2270], says: 'preparing upgrade plan', by: both },
  { codes: [2271], says: 'executing upgrade plan', by: both },
  { codes: [2287, 2288], says: 'pre-diagnostics started, completed', by: both },
  { codes: [2281], says: 'direct-upgrade prerequisite check of the search store', by: release },
  { codes: [2094], says: 'validating the relational database', by: release },
  { codes: [2291], says: 'patch update of a module started', by: ['patch'] },
  {
    codes: [2173],
    says: 'patch progress: N out of M deployments updated',
    by: ['patch'],
    text: /^\d+ out of \d+ deployments updated/,
  },
  {
    codes: [2175],
    says: 'release progress: N out of M deployments updated',
    by: release,
    text: /^\d+ out of \d+ deployments updated/,
  },
  { codes: [2108, 2109], says: 'release upgrade of relational database started, completed', by: release },
  {
    codes: [2087, 2090, 2092, 2093],
    says: 'primary set read-only, standby promoted, new standby added, primary set read-write',
    by: release,
  },
  { codes: [2144, 2145, 2153], says: 'database version upgrade started, done, result', by: release },
  {
    codes: [2148, 2149, 2151],
    says: 'database post-upgrade started, completed, role change notice',
    by: release,
  },
  {
    codes: [2134, 2132],
    says: 'release upgrade of a named component started, completed',
    by: release,
    text: /'.+'/,
  },
  { codes: [2038], says: 'updating a named workload with a new image', by: both, text: /'.+'/ },
  {
    codes: [2101, 2103],
    says: 'release upgrade of a named deployment started, completed',
    by: release,
    text: /'.+'/,
  },
  { codes: [2187, 2188], says: 'updating portal content started, completed', by: release },
  { codes: [2179], says: 'post-upgrade operations started', by: release },
  { codes: [2180, 2181], says: 'post-upgrade for logging started, succeeded', by: release },
  { codes: [2178, 2185], says: 'refresh of autodeployed services started, completed', by: release },
  { codes: [2191, 2192], says: 'portal search index refresh started, completed', by: release },
];

function toStatement({ codes, says, by, text = /\S/ }: Codes): Statement {
  return {
    id: `2.8 ${codes.join(', ')}`,
    says: `${codes.length === 1 ? 'Code' : 'Codes'} ${codes.join(', ')}: ${says}`,
    client: client('Gives the message back, and explains the code', async (own, other) => {
      const messages = codes.map((code, at) => ({
        message: `Step ${code}`,
        code,
        when: 1_663_000_000_000 + at,
      }));
      other.answer('/admin/system/upgrades', { status: { state: 'in_progress', code: 1, messages } });
      expect((await readUpgradeStatus(own)).messages).toEqual(messages);
      for (const code of codes) expect(upgradeMessageCodes[code]?.meaning).toMatch(/^[a-z].{10}/);
    }),
    deployment: deployment(`Writes it in upgrades by a ${by.join(' and a ')}`, async ({ at }) => {
      for (const [kind, version] of Object.entries(versions)) {
        const { messages } = await (await at(version)).calls.status();
        const written = messages.filter(({ code }) => codes.includes(code));
        const isExpected = by.some((each) => each === kind);
        expect([...new Set(written.map(({ code }) => code))].toSorted()).toEqual(
          isExpected ? codes.toSorted() : [],
        );
        for (const { message } of written) expect(message).toMatch(text);
      }
    }),
  };
}

export const upgradeStatus: Section = {
  number: '2.8',
  title: 'Upgrade status',
  file: '2-8-upgrade-status.ts',
  prepare: async (reference, version) => {
    const { calls, running } = reference;
    const { id } = await updateOf(reference, version === versions.release ? 'release' : 'patch');
    const settings = await calls.settings(id);
    await calls.upgrade({ id, settings });
    running.wait(100_000);
  },
  statements: [
    {
      id: '2.8 state',
      says: '`state` is a string',
      client: client('Gives it back, an unknown one as well', async (own, other) => {
        expect((await readUpgradeStatus(own)).state).toBe('success');
        other.answer('/admin/system/upgrades', { status: { ...statusExample, state: 'later' } });
        expect((await readUpgradeStatus(own)).state).toBe('later');
      }),
      deployment: deployment('Has one', async (reference) => {
        for (const { state } of await finished(reference)) expect(state).toSatisfy(isWord);
      }),
    },
    {
      id: '2.8 code',
      says: '`code` is an integer',
      client: client('Gives it back', async (own, other) => {
        expect((await readUpgradeStatus(own)).code).toBe(3);
        other.answer('/admin/system/upgrades', { status: { ...statusExample, code: 17 } });
        expect((await readUpgradeStatus(own)).code).toBe(17);
      }),
      deployment: deployment('Has one', async (reference) => {
        for (const { code } of await finished(reference)) expect(code).toSatisfy(isWhole);
      }),
    },
    ...(
      [
        ['message', 'is a string', isWord],
        ['code', 'is an integer', isWhole],
        ['when', 'is an integer, milliseconds from epoch', isTime],
      ] as const
    ).map(
      ([name, says, holds]): Statement => ({
        id: `2.8 messages.${name}`,
        says: `\`${name}\` of a message ${says}`,
        client: client('Gives it back', async (own) => {
          const { messages } = await readUpgradeStatus(own);
          expect(messages.map((each) => each[name])).toEqual(
            statusExample.messages.map((each) => each[name]),
          );
        }),
        deployment: deployment('Each message has it', async (reference) => {
          for (const { messages } of await finished(reference)) {
            expect(messages.length).toBeGreaterThan(10);
            for (const each of messages) expect(each[name]).toSatisfy(holds);
          }
        }),
      }),
    ),
    {
      id: '2.8 in_progress',
      says: 'The state `in_progress` carries code 1',
      client: client('Takes the upgrade for running', async (own) => {
        const status = await startUpgrade(own, { id: 'rel_1_1' });
        expect([status.state, status.code, progressOf(status).stage]).toEqual(['in_progress', 1, 'running']);
      }),
      deployment: deployment('While an upgrade runs', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const status = await reference.calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
          expect([status.state, status.code]).toEqual(['in_progress', 1]);
        }),
      ),
    },
    {
      id: '2.8 success',
      says: 'The state `success` carries code 3',
      client: client('Takes the upgrade for done', async (own) => {
        const status = await readUpgradeStatus(own);
        expect([status.state, status.code, progressOf(status).stage]).toEqual(['success', 3, 'succeeded']);
      }),
      deployment: deployment('When an upgrade went well', async (reference) => {
        for (const { state, code } of await finished(reference))
          expect([state, code]).toEqual(['success', 3]);
      }),
    },
    ...rows.map(toStatement),
    {
      id: '2.8 other codes',
      says: 'These codes have been observed',
      client: client('Gives back any other', async (own, other) => {
        const messages = [{ message: 'Something new', code: 9999, when: 1_663_000_000_000 }];
        other.answer('/admin/system/upgrades', { status: { state: 'in_progress', code: 1, messages } });
        expect((await readUpgradeStatus(own)).messages).toEqual(messages);
      }),
      deployment: deployment('Writes no other while an upgrade goes well', async (reference) => {
        const known = rows.flatMap(({ codes }) => codes);
        for (const { messages } of await finished(reference))
          expect(messages.filter(({ code }) => !known.includes(code))).toEqual([]);
      }),
    },
    {
      id: '2.8 properties of one deployment',
      says: 'The record of the properties of one existing deployment is not shown',
      deployment: byHand('Has no such resource: HTTP 404', async ({ running }) => {
        const address = `${running.client.addresses.root}/system/deployments/9375dd81`;
        const form = { token: await sharedToken(running) };
        for (const path of ['', '/edit'])
          expect(await postForm(address + path, form)).toMatchObject({ error: { code: 404 } });
      }),
    },
  ],
};
