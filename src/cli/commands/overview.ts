import { isCase, overview } from '../../analysis/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { casesInFolder } from '../input/case-folder.ts';
import { headingOf, openSources } from '../input/open-sources.ts';
import { nextCommands, overviewText, requestedOf } from '../output/overview.ts';
import { doubtsOf } from '../output/part-table.ts';
import type { overviewSpec } from '../specs/case-specs.ts';
import { toJson } from '../terminal/text.ts';

/** Below this width, a sparkline of the usual length does not fit beside its level. */
const wideEnough = 88;

/** Shows the contents of cases at a glance. */
export const overviewCommand: RunCommand<typeof overviewSpec> = async ({
  arguments: { source: paths },
  options,
  terminal,
}) => {
  const logZone = logZoneOf(options);
  await using sources = await openSources(paths, { logZone, clusters: 'read' }, terminal);
  const { width = wideEnough } = terminal.stdout;
  const about = await overview(sources.logs, {
    requested: await requestedOf(sources.logs),
    buckets: options.json || wideEnough <= width ? 40 : 24,
  });
  const isStored =
    paths.length === 1 &&
    !paths.some(casesInFolder) &&
    (paths.some(isClusterAddress) || sources.cases.every(({ originals }) => originals === 'copied'));
  // The standard input cannot be read again.
  const next = paths.includes('-') ? [] : nextCommands(about, { paths, isCase: isStored });
  if (options.json) await terminal.print(`${toJson({ cases: sources.names, ...about, next }, 2)}\n`);
  else
    await terminal.print(
      overviewText(about, { name: headingOf(sources.names), next, zone: options.zone }, terminal.stdout),
    );
  // Files that are no case were just loaded, and their remarks shown.
  for (const log of sources.logs) {
    if (isCase(log) && log.originals !== 'copied') continue;
    for (const line of await doubtsOf(log, { overlaps: true })) terminal.message(line);
  }
  return sources.outcome;
};
