import {
  ClientError,
  describeUnreadable,
  editPropertyTemplate,
  openClient,
  readPropertyTemplate,
  readPropertyTemplates,
  type TemplateToSend,
} from '../../client/index.ts';
import {
  affectedBy,
  checkTemplate,
  diffTemplates,
  type PropertyTemplate,
  replicaCounts,
  setMember,
  type UnreadableTemplate,
  unsetMember,
} from '../../protocol/index.ts';
import {
  duplicateMembers,
  isObject,
  type JsonObject,
  readExactJson,
  writeExactJson,
} from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readJsonFile } from '../command-line/files.ts';
import { writeOutput } from '../command-line/write-output.ts';
import { readConnection } from '../deployment/connection.ts';
import { maySend, requireConfirmation, sendChange } from '../deployment/send-change.ts';
import { changesText, findingsText } from '../output/administration-text.ts';
import { formatTable } from '../output/table.ts';
import type {
  propertiesCheckSpec,
  propertiesDiffSpec,
  propertiesEditSpec,
  propertiesListSpec,
  propertiesShowSpec,
} from '../specs/deployment-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';

/** Lists the templates. */
export const propertiesListCommand: RunCommand<typeof propertiesListSpec> = async ({ options, terminal }) => {
  await using client = openClient(await readConnection(options, terminal));
  const unreadable: UnreadableTemplate[] = [];
  const templates = await readPropertyTemplates(client, {
    signal: terminal.interruption(),
    onUnreadable: (item) => unreadable.push(item),
  });
  await terminal.print(
    options.json ? `${toJson(templates, 2, writeExactJson)}\n` : listText(templates, terminal),
  );
  const incomplete = terminal.stderr.style.red('INCOMPLETE');
  for (const item of unreadable)
    terminal.message(`${incomplete}: ${escapeUnsafe(describeUnreadable(item))}.`);
  return unreadable.length === 0 ? exitCodes.done : exitCodes.incomplete;
};

function listText(templates: readonly PropertyTemplate[], { stdout }: Terminal): string {
  const columns = ['id', 'type', 'provider', 'mode', 'pods', 'scaling'].map((name) => ({ name }));
  const rows = templates.map(({ id, type, provider, mode, spec: { replicas } }) => {
    const { min, max } = replicaCounts({ spec: { replicas } });
    const pods = min === max ? String(min) : `${min}-${max}`;
    return [id, type, provider, mode, pods, replicas?.scalingMode ?? ''];
  });
  return `${formatTable(columns, rows, stdout).join('\n')}\n`;
}

/** Prints one template, or writes it to a file. */
export const propertiesShowCommand: RunCommand<typeof propertiesShowSpec> = async ({
  arguments: { id },
  options,
  terminal,
}) => {
  await using client = openClient(await readConnection(options, terminal));
  const template = await readPropertyTemplate(client, id, { signal: terminal.interruption() });
  await writeOutput(`${toJson(template, 2, writeExactJson)}\n`, { path: options.out, terminal });
  return exitCodes.done;
};

/** Checks a template. */
export const propertiesCheckCommand: RunCommand<typeof propertiesCheckSpec> = async ({
  arguments: { file },
  options,
  terminal,
}) => {
  const original =
    options.original === undefined ? undefined : await readTemplate(options.original, terminal);
  const body = await readBody(file, terminal);
  const { findings } = checkTemplate(body, { original, version: options.forVersion });
  await terminal.print(options.json ? `${toJson(findings, 2)}\n` : findingsText(findings, terminal.stdout));
  return findings.some(({ severity }) => severity === 'error') ? exitCodes.no : exitCodes.done;
};

/** Shows the differences of two templates. */
export const propertiesDiffCommand: RunCommand<typeof propertiesDiffSpec> = async ({
  arguments: paths,
  options,
  terminal,
}) => {
  const before = await readTemplate(paths.old, terminal);
  const after = await readTemplate(paths.new, terminal);
  const changes = diffTemplates(before, after);
  const affects = affectedBy(after);
  await terminal.print(
    options.json
      ? `${toJson({ changes, affects }, 2, writeExactJson)}\n`
      : changesText(changes, terminal.stdout),
  );
  if (!options.json && changes.length > 0) terminal.message(`${affects}.`);
  return exitCodes.done;
};

/** Reads a JSON file. Throws `UsageError` for a member that an object has twice: which of them holds is not defined. */
function readBody(path: string, terminal: Terminal): Promise<unknown> {
  return readJsonFile(path, terminal, (text) => {
    const twice = duplicateMembers(text);
    if (twice.length === 0) return readExactJson(text);
    const names = twice.map((member) => JSON.stringify(member)).join(', ');
    throw new UsageError(`The file "${path}" has members twice, so it is not clear what they mean: ${names}`);
  });
}

/** Reads a template file. Throws `UsageError` for wrong types. */
async function readTemplate(path: string, terminal: Terminal): Promise<PropertyTemplate> {
  const { template, findings } = checkTemplate(await readBody(path, terminal));
  if (template) return template;
  const problems = findings.map(({ message }) => message).join('; ');
  throw new UsageError(`The file "${path}" must hold a property template: ${problems}`);
}

/** Edits a template at the deployment. */
export const propertiesEditCommand: RunCommand<typeof propertiesEditSpec> = async ({
  arguments: { file },
  options,
  terminal,
}) => {
  const [path, ...others] = file;
  if ((path === undefined) === (options.id === undefined) || others.length > 0) {
    throw new UsageError('One template is required: FILE or --id ID');
  }
  const signal = terminal.interruption();
  const template = path === undefined ? undefined : await readGiven(path, options, terminal);
  await using client = openClient(await readConnection(options, terminal));
  const original = await readPropertyTemplate(client, template?.id ?? options.id ?? '', { signal });
  const target = changed(template ?? original, options);
  const { findings } = checkTemplate(target, { original, version: options.forVersion });
  if (findings.length > 0) terminal.message(findingsText(findings, terminal.stderr).trimEnd());
  if (!maySend(findings, { force: options.force, terminal })) return exitCodes.no;
  const changes = diffTemplates(original, target);
  await terminal.print(
    options.json ? `${toJson(changes, 2, writeExactJson)}\n` : changesText(changes, terminal.stdout),
  );
  if (changes.length === 0) return exitCodes.done;
  return await send(
    { original, target, options, terminal },
    {
      edit: () => editPropertyTemplate(client, { ...target, id: original.id }, { signal }),
      read: () => readPropertyTemplate(client, original.id, { signal }),
    },
  );
};

/** Reads the template to send; with "--force" also one with wrong types. */
async function readGiven(
  path: string,
  { force }: { readonly force: boolean },
  terminal: Terminal,
): Promise<TemplateToSend> {
  if (!force) return await readTemplate(path, terminal);
  const body = await readBody(path, terminal);
  if (isObject(body) && typeof body.id === 'string') return { ...body, id: body.id };
  throw new UsageError(`The file "${path}" must hold a property template: an object with the text "id"`);
}

interface Sending {
  readonly original: PropertyTemplate;
  readonly target: JsonObject;
  readonly options: CommandCall<typeof propertiesEditSpec>['options'];
  readonly terminal: Terminal;
}

interface Calls {
  readonly edit: () => Promise<readonly string[]>;
  readonly read: () => Promise<PropertyTemplate>;
}

async function send(
  { original, target: wanted, options, terminal }: Sending,
  { edit, read }: Calls,
): Promise<ExitCode> {
  terminal.message(`${affectedBy(original)}.`);
  if (options.dryRun) {
    terminal.message('Nothing was sent.');
    return exitCodes.done;
  }
  if (!(await requireConfirmation(terminal, { yes: options.yes, question: 'Send it?' }))) {
    terminal.message('Nothing was sent.');
    return exitCodes.no;
  }
  const show = `"logquarry properties show ${original.id}"`;
  const doubt = () =>
    `The edit may have been made, if the request was already sent: check with ${show} after two minutes at the latest.`;
  const messages = await sendChange(edit, { terminal, doubt });
  for (const message of messages) terminal.message(`The deployment says: ${escapeUnsafe(message)}`);
  return await compareStored(wanted, { read, terminal, show });
}

/** Reads back what was sent: a deployment that reports a success may have stored something else. */
async function compareStored(
  target: JsonObject,
  { read, terminal, show }: Pick<Calls, 'read'> & { readonly terminal: Terminal; readonly show: string },
): Promise<ExitCode> {
  try {
    // Each edit gets a revision of its own.
    const changes = diffTemplates(target, await read()).filter(({ path }) => path !== 'revision');
    if (changes.length === 0) {
      terminal.message('The default properties were changed.');
      return exitCodes.done;
    }
    terminal.message(`The deployment reports a success, and has other default properties than were sent:`);
    terminal.message(changesText(changes, terminal.stderr).trimEnd());
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    terminal.message(
      `The deployment reports a success, and its default properties could not be read to compare them: ${escapeUnsafe(error.message)}. See ${show}.`,
    );
  }
  return exitCodes.incomplete;
}

/** Applies "--unset" and then "--set" to a template. */
function changed(
  template: TemplateToSend,
  { unset, set }: { readonly unset: readonly string[]; readonly set: readonly string[] },
): JsonObject {
  const steps = [
    ...unset.map((path) => ({ flag: `--unset ${path}`, change: (body: unknown) => unsetMember(body, path) })),
    ...set.map((assignment) => ({
      flag: `--set ${assignment}`,
      change: (body: unknown) => setMember(body, assignment),
    })),
  ];
  return steps.reduce<JsonObject>((body, { flag, change }) => {
    const template = change(body);
    if ('problem' in template) throw new UsageError(`${flag}: ${template.problem}`);
    return isObject(template.template) ? template.template : body;
  }, template);
}
