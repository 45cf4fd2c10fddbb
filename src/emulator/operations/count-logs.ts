import { searchPath } from '../../protocol/index.ts';
import { toFilter } from '../export-filter.ts';
import { type Operation, refuse } from '../operation.ts';
import type { Site } from '../site.ts';
import { readRequest } from './export-logs.ts';

/**
 * Counts logs: the sibling of the export that some deployments have (field
 * notes), as far as `countOnly` goes. A deployment without it answers 404.
 */
export function countLogs(site: Site): Operation {
  return {
    name: 'countLogs',
    title: 'Count logs',
    path: site.root + searchPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    fields: [],
    run: async ({ form }) => {
      const { logLevel, exports } = site.settings;
      if (!exports.counts)
        return {
          ...refuse(404, 'Not found.', 'There is no operation or resource at this address.'),
          status: 404,
        };
      if (form.get('countOnly') !== 'true')
        return refuse(400, 'Invalid parameters.', '"countOnly" requires true: logs are exported, not listed');
      const read = readRequest(form, site);
      if ('refused' in read) return read.refused;
      const filter = toFilter(read.request, read.search?.filter, { logLevel, now: site.now(), ...exports });
      return { kind: 'body', body: { total: await site.logs.count(filter) } };
    },
  };
}
