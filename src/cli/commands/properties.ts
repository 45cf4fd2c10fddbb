import {
  affectedBy,
  checkTemplate,
  diffTemplates,
  editPropertyTemplate,
  openClient,
  type PropertyTemplate,
  readPropertyTemplate,
  readPropertyTemplates,
  setMember,
} from '../../client/index.ts';
import type { Call, Run } from '../command-line/command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readConnection } from '../deployment/connection.ts';
import { inFlight } from '../deployment/in-flight.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { confirmed } from '../input/confirmed.ts';
import { readJsonFile } from '../input/read-json-file.ts';
import { changesText, findingsText } from '../output/administration-text.ts';
import { table } from '../output/table.ts';
import { writeOutput } from '../output/write-output.ts';
import type {
  propertiesCheckSpec,
  propertiesDiffSpec,
  propertiesEditSpec,
  propertiesListSpec,
  propertiesShowSpec,
} from '../specs/properties.ts';
import { toJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Lists the templates. */
export const propertiesList: Run<typeof propertiesListSpec> = async ({ options, terminal }) => {
  await using client = openClient(await readConnection(options, terminal));
  const templates = await readPropertyTemplates(client, { signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(templates, 2)}\n` : listText(templates, terminal));
  return exitCodes.done;
};

function listText(templates: readonly PropertyTemplate[], { data }: Terminal): string {
  const columns = ['id', 'type', 'provider', 'mode', 'pods', 'scaling'].map((name) => ({ name }));
  const rows = templates.map(({ id, type, provider, mode, spec: { replicas } }) => {
    const { min = 1, max = 1, scalingMode = '' } = replicas ?? {};
    return [id, type, provider, mode, min === max ? String(min) : `${min}-${max}`, scalingMode];
  });
  return `${table(columns, rows, data).join('\n')}\n`;
}

/** Prints one template, or writes it to a file. */
export const propertiesShow: Run<typeof propertiesShowSpec> = async ({
  arguments: { id },
  options,
  terminal,
}) => {
  await using client = openClient(await readConnection(options, terminal));
  const template = await readPropertyTemplate(client, id, { signal: terminal.interruption() });
  await writeOutput(`${toJson(template, 2)}\n`, { path: options.out, terminal });
  return exitCodes.done;
};

/** Says what is wrong with a template. */
export const propertiesCheck: Run<typeof propertiesCheckSpec> = async ({
  arguments: { file },
  options,
  terminal,
}) => {
  const original =
    options.original === undefined ? undefined : await readTemplate(options.original, terminal);
  const body = await readJsonFile(file, terminal);
  const { findings } = checkTemplate(body, { original, version: options.forVersion });
  await terminal.print(options.json ? `${toJson(findings, 2)}\n` : findingsText(findings, terminal.data));
  return findings.some(({ severity }) => severity === 'error') ? exitCodes.no : exitCodes.done;
};

/** Shows how two templates differ. */
export const propertiesDiff: Run<typeof propertiesDiffSpec> = async ({
  arguments: paths,
  options,
  terminal,
}) => {
  const before = await readTemplate(paths.old, terminal);
  const after = await readTemplate(paths.new, terminal);
  const changes = diffTemplates(before, after);
  const affects = affectedBy(after);
  await terminal.print(
    options.json ? `${toJson({ changes, affects }, 2)}\n` : changesText(changes, terminal.data),
  );
  if (!options.json && changes.length > 0) terminal.say(`${affects}.`);
  return exitCodes.done;
};

/** A template of a file. What is wrong with its types is a mistake of the command line. */
async function readTemplate(path: string, terminal: Terminal): Promise<PropertyTemplate> {
  const { template, findings } = checkTemplate(await readJsonFile(path, terminal));
  if (template) return template;
  const problems = findings.map(({ message }) => message).join('; ');
  throw new UsageError(`The file "${path}" requires a property template: ${problems}`);
}

/** Changes a template at the deployment. */
export const propertiesEdit: Run<typeof propertiesEditSpec> = async ({
  arguments: { file },
  options,
  terminal,
}) => {
  const [path, ...others] = file;
  if ((path === undefined) === (options.id === undefined) || others.length > 0) {
    throw new UsageError('One template is required: the file of one, or "--id ID"');
  }
  const signal = terminal.interruption();
  const given = path === undefined ? undefined : await readTemplate(path, terminal);
  await using client = openClient(await readConnection(options, terminal));
  const original = await readPropertyTemplate(client, given?.id ?? options.id ?? '', { signal });
  const wanted = withAssignments(given ?? original, options.set);
  const { template, findings } = checkTemplate(wanted, { original, version: options.forVersion });
  if (findings.length > 0) terminal.say(findingsText(findings, terminal.talk).trimEnd());
  if (!template || findings.some(({ severity }) => severity === 'error')) return exitCodes.no;
  const changes = diffTemplates(original, template);
  await terminal.print(options.json ? `${toJson(changes, 2)}\n` : changesText(changes, terminal.data));
  if (changes.length === 0) return exitCodes.done;
  return await send({ template, options, terminal }, () =>
    editPropertyTemplate(client, template, { signal }),
  );
};

interface Sending {
  readonly template: PropertyTemplate;
  readonly options: Call<typeof propertiesEditSpec>['options'];
  readonly terminal: Terminal;
}

async function send({ template, options, terminal }: Sending, edit: () => Promise<void>): Promise<ExitCode> {
  terminal.say(`${affectedBy(template)}.`);
  if (options.dryRun) {
    terminal.say('Nothing was sent.');
    return exitCodes.done;
  }
  if (!(await confirmed(terminal, { yes: options.yes, question: 'Send it?' }))) {
    terminal.say('Nothing was sent.');
    return exitCodes.no;
  }
  const show = `"logquarry properties show ${template.id}"`;
  const doubt = () =>
    `The edit may have been made all the same, if it was on its way: ${show} shows, after two minutes at the latest.`;
  await inFlight(edit, { terminal, doubt });
  terminal.say('The default properties were edited.');
  return exitCodes.done;
}

function withAssignments(template: PropertyTemplate, assignments: readonly string[]): unknown {
  return assignments.reduce<unknown>((changed, assignment) => {
    const set = setMember(changed, assignment);
    if ('problem' in set) throw new UsageError(`"--set ${assignment}": ${set.problem}`);
    return set.template;
  }, template);
}
