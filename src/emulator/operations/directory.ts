import type { Operation } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { releaseAt, releaseText } from '../upgrade/progress.ts';

/** The front page: the resources and operations of the deployment, by their addresses. */
export function directoryOperation(site: Site, listed: readonly Operation[]): Operation {
  return {
    name: 'directory',
    title: 'Administration of the reference deployment',
    path: site.root,
    methods: ['GET', 'POST'],
    fields: [],
    run: ({ origin }) => {
      const shown = listed.filter(({ path }) => !path.includes(':'));
      const addresses = Object.fromEntries(shown.map(({ title, path }) => [title, origin + path]));
      const currentVersion = releaseText(releaseAt(site.state.read(), site.now()));
      return { kind: 'body', body: { currentVersion, ...addresses } };
    },
  };
}
