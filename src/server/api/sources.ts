import * as v from 'valibot';
import type { AnswerOperation, StreamOperation, WorkspaceContext } from './operation.ts';
import type { ExportStatus, Offers, OpenProgress } from './workspace.ts';

const nothing = v.object({});
const word = v.pipe(v.string(), v.maxLength(10_000));

/** The files, profiles and other sources that can be opened. */
export const offers: AnswerOperation<typeof nothing, Offers, WorkspaceContext> = {
  parameters: nothing,
  answer: (_, { workspace }) => workspace.offers(),
};

const openParameters = v.object({ name: word });

/** Opens a source, with its progress. */
export const open: StreamOperation<typeof openParameters, OpenProgress, WorkspaceContext> = {
  parameters: openParameters,
  stream: ({ name }, { workspace, signal }) => workspace.open(name, signal),
};

const order = v.object({
  profile: word,
  case: word,
  kind: v.picklist(['new', 'resume', 'retry gaps', 'since last']),
  from: v.optional(word),
  to: v.optional(word),
  search: v.optional(word),
  logLevel: v.optional(word),
});

/** Starts an export with a profile of this machine. */
export const startExport: AnswerOperation<typeof order, ExportStatus, WorkspaceContext> = {
  parameters: order,
  answer: (ordered, { workspace }) => workspace.exports.start(ordered),
};

/** The last export of the page; null before the first. */
export const exportStatus: AnswerOperation<typeof nothing, ExportStatus | null, WorkspaceContext> = {
  parameters: nothing,
  answer: async (_, { workspace }) => workspace.exports.status() ?? null,
};

/** Stops the running export in order; what came is kept. */
export const stopExport: AnswerOperation<typeof nothing, ExportStatus | null, WorkspaceContext> = {
  parameters: nothing,
  async answer(_, { workspace }) {
    await workspace.exports.stop();
    return workspace.exports.status() ?? null;
  },
};
