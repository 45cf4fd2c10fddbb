import {
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
import { isObject, type JsonObject, readExactJson, writeExactJson } from '../../records/index.ts';
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
  const incomplete = terminal.talk.style.red('INCOMPLETE');
  for (const item of unreadable) terminal.say(`${incomplete}: ${escapeUnsafe(describeUnreadable(item))}.`);
  return unreadable.length === 0 ? exitCodes.done : exitCodes.incomplete;
};

function listText(templates: readonly PropertyTemplate[], { data }: Terminal): string {
  const columns = ['id', 'type', 'provider', 'mode', 'pods', 'scaling'].map((name) => ({ name }));
  const rows = templates.map(({ id, type, provider, mode, spec: { replicas } }) => {
    const { min, max } = replicaCounts({ spec: { replicas } });
    const pods = min === max ? String(min) : `${min}-${max}`;
    return [id, type, provider, mode, pods, replicas?.scalingMode ?? ''];
  });
  return `${formatTable(columns, rows, data).join('\n')}\n`;
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
  const body = await readJsonFile(file, terminal, readExactJson);
  const { findings } = checkTemplate(body, { original, version: options.forVersion });
  await terminal.print(options.json ? `${toJson(findings, 2)}\n` : findingsText(findings, terminal.data));
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
      : changesText(changes, terminal.data),
  );
  if (!options.json && changes.length > 0) terminal.say(`${affects}.`);
  return exitCodes.done;
};

/** Reads a template file. Throws `UsageError` for wrong types. */
async function readTemplate(path: string, terminal: Terminal): Promise<PropertyTemplate> {
  const { template, findings } = checkTemplate(await readJsonFile(path, terminal, readExactJson));
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
  const given = path === undefined ? undefined : await readGiven(path, options, terminal);
  await using client = openClient(await readConnection(options, terminal));
  const original = await readPropertyTemplate(client, given?.id ?? options.id ?? '', { signal });
  const wanted = changed(given ?? original, options);
  const { findings } = checkTemplate(wanted, { original, version: options.forVersion });
  if (findings.length > 0) terminal.say(findingsText(findings, terminal.talk).trimEnd());
  if (!maySend(findings, { force: options.force, terminal })) return exitCodes.no;
  const changes = diffTemplates(original, wanted);
  await terminal.print(
    options.json ? `${toJson(changes, 2, writeExactJson)}\n` : changesText(changes, terminal.data),
  );
  if (changes.length === 0) return exitCodes.done;
  return await send({ original, options, terminal }, () =>
    editPropertyTemplate(client, { ...wanted, id: original.id }, { signal }),
  );
};

/** Reads the template to send; with "--force" also one with wrong types. */
async function readGiven(
  path: string,
  { force }: { readonly force: boolean },
  terminal: Terminal,
): Promise<TemplateToSend> {
  if (!force) return await readTemplate(path, terminal);
  const body = await readJsonFile(path, terminal, readExactJson);
  if (isObject(body) && typeof body.id === 'string') return { ...body, id: body.id };
  throw new UsageError(`The file "${path}" must hold a property template: an object with the text "id"`);
}

interface Sending {
  readonly original: PropertyTemplate;
  readonly options: CommandCall<typeof propertiesEditSpec>['options'];
  readonly terminal: Terminal;
}

async function send({ original, options, terminal }: Sending, edit: () => Promise<void>): Promise<ExitCode> {
  terminal.say(`${affectedBy(original)}.`);
  if (options.dryRun) {
    terminal.say('Nothing was sent.');
    return exitCodes.done;
  }
  if (!(await requireConfirmation(terminal, { yes: options.yes, question: 'Send it?' }))) {
    terminal.say('Nothing was sent.');
    return exitCodes.no;
  }
  const show = `"logquarry properties show ${original.id}"`;
  const doubt = () =>
    `The edit may have been made, if the request was already sent: check with ${show} after two minutes at the latest.`;
  await sendChange(edit, { terminal, doubt });
  terminal.say('The default properties were changed.');
  return exitCodes.done;
}

/** Applies "--unset" and then "--set" to a template. */
function changed(
  template: TemplateToSend,
  { unset, set }: { readonly unset: readonly string[]; readonly set: readonly string[] },
): JsonObject {
  const steps = [
    ...unset.map((path) => ({ flag: `--unset ${path}`, change: (body: unknown) => unsetMember(body, path) })),
    ...set.map((each) => ({ flag: `--set ${each}`, change: (body: unknown) => setMember(body, each) })),
  ];
  return steps.reduce<JsonObject>((body, { flag, change }) => {
    const made = change(body);
    if ('problem' in made) throw new UsageError(`${flag}: ${made.problem}`);
    return isObject(made.template) ? made.template : body;
  }, template);
}
