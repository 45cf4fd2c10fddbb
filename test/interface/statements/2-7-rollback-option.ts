import { expect } from 'vitest';
import { checkRollback } from '../../../src/client/upgrades.ts';
import type { Update } from '../../../src/protocol/upgrades.ts';
import { updateExample } from '../parties/examples.ts';
import { type Reference, updateOf } from '../parties/reference.ts';
import {
  client,
  deployment,
  isText,
  isTime,
  isWord,
  type Section,
  type Statement,
  words,
} from './statement.ts';

interface Field {
  readonly name: keyof Update & string;
  readonly says: string;
  readonly holds: (value: unknown) => boolean;
}

const fields: readonly Field[] = [
  { name: 'id', says: 'is a string, the identifier of a release or patch', holds: isWord },
  {
    name: 'type',
    says: 'is a string such as `release`',
    holds: (value) => ['release', 'patch'].includes(String(value)),
  },
  { name: 'name', says: 'is a string', holds: isWord },
  { name: 'description', says: 'is a string', holds: isText },
  { name: 'version', says: 'is a string', holds: isWord },
  { name: 'build', says: 'is a string', holds: isWord },
  { name: 'previousVersion', says: 'is a string that may be empty', holds: isText },
  { name: 'previousReleaseBuild', says: 'is a string that may be empty', holds: isText },
  { name: 'released', says: 'is an integer, milliseconds from epoch', holds: isTime },
  { name: 'url', says: 'is a string, the address of the download', holds: isText },
];

const options = ({ calls }: Reference) => calls.rollbackOptions();

function toStatement({ name, says, holds }: Field): Statement {
  return {
    id: `2.7 ${name}`,
    says: `\`${name}\` ${says}`,
    client: client('Gives it back as it came', async (own, other) => {
      expect((await checkRollback(own))[0]?.[name]).toEqual(updateExample[name]);
      const empty: Update = { ...updateExample, previousVersion: '', previousReleaseBuild: '' };
      other.answer('/admin/system/upgrades/checkRollback', { updates: [empty] });
      expect((await checkRollback(own))[0]?.[name]).toEqual(empty[name]);
    }),
    deployment: deployment('Each option has it', async (reference) => {
      const found = await options(reference);
      expect(found.length).toBeGreaterThan(0);
      for (const option of found) expect(option[name]).toSatisfy(holds);
    }),
  };
}

const containers =
  words(`ENTERPRISE_ADMIN_API STORE_POSTGRES STORE_MINIO STORE_RELATIONAL STORE_SBDS STORE_IGNITE
  PORTAL_SHARING_API PORTAL_HOME_APP MANAGER_APP PORTAL_JSAPI CATALOG_SERVER CONFIG_FACTORY_SERVER MAP_SERVER
  GEOCODE_SERVER GEOMETRY_SERVER IMAGE_SERVER GPPROXY_SERVER GP_SERVER SDS_FEATURE_SERVER TILE_SERVER PROMETHEUS
  KIBANA FILEBEAT RABBITMQ HELP ADMIN_TOOLS UPGRADER PORTAL_CONTENT_TEMPLATE POSTGRES_UPGRADER INGRESS_CONTROLLER
  PORTAL_APPS BUSYBOX DISASTER_RECOVERY WEB_PROXY PORTAL_WEB_STYLE_APP`);

export const rollbackOption: Section = {
  number: '2.7',
  title: 'Rollback option',
  file: '2-7-rollback-option.ts',
  options: { version: '11.2' },
  prepare: async (reference) => {
    for (const _ of [1, 2]) {
      await reference.calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
      reference.running.wait(40_000);
    }
  },
  statements: [
    ...fields.map(toStatement),
    ...(['name', 'image', 'checksum'] as const).map(
      (name): Statement => ({
        id: `2.7 containers.${name}`,
        says: `\`containers\` is an array of objects with the string \`${name}\``,
        client: client('Gives it back as it came', async (own) => {
          const [option] = await checkRollback(own);
          expect(option?.containers?.map((each) => each[name])).toEqual([
            updateExample.containers?.[0]?.[name],
          ]);
        }),
        deployment: deployment('Each container has it, and no other member', async (reference) => {
          for (const { containers: found = [] } of await options(reference)) {
            expect(found.length).toBeGreaterThan(0);
            for (const each of found) {
              expect(each[name]).toSatisfy(isWord);
              expect(Object.keys(each).toSorted()).toEqual(['checksum', 'image', 'name']);
            }
          }
        }),
      }),
    ),
    {
      id: '2.7 names of containers',
      says: `${containers.length} names of containers have been seen`,
      client: client('Takes each, and any other', async (own, other) => {
        const names = [...containers, 'LATER'];
        const found = names.map((name) => ({ name, image: 'i', checksum: 'N/A' }));
        other.answer('/admin/system/upgrades/checkRollback', {
          updates: [{ ...updateExample, containers: found }],
        });
        expect((await checkRollback(own))[0]?.containers?.map(({ name }) => name)).toEqual(names);
      }),
      deployment: deployment('A release has them all, and no other', async (reference) => {
        const release = (await options(reference)).find(({ type }) => type === 'release');
        expect(release?.containers?.map(({ name = '' }) => name).toSorted()).toEqual(containers.toSorted());
      }),
    },
    {
      id: '2.7 members',
      says: 'An option has these members',
      client: client('Keeps others that a later version may have', async (own, other) => {
        other.answer('/admin/system/upgrades/checkRollback', { updates: [{ ...updateExample, later: 1 }] });
        expect(await checkRollback(own)).toEqual([{ ...updateExample, later: 1 }]);
      }),
      deployment: deployment('Has these and no other', async (reference) => {
        for (const option of await options(reference))
          expect(Object.keys(option).toSorted()).toEqual(
            ['containers', ...fields.map(({ name }) => name)].toSorted(),
          );
      }),
    },
  ],
};
