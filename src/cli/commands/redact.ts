import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { caseWith, maskMessage } from '../../analysis/index.ts';
import { openCase, type Redaction, redactCase } from '../../case/index.ts';
import { matchAllFilter } from '../../language/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { openSource } from '../input/open-cases.ts';
import { requireAllShards } from '../input/refuse-cluster.ts';
import type { redactSpec } from '../specs/analysis-specs.ts';
import { displayProgress, formatCount } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';

/** Copies a case with pseudonyms. */
export const redactCommand: RunCommand<typeof redactSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const { out } = options;
  if (out === undefined) throw new UsageError('--out NEW is required: the case file to create');
  if (existsSync(out)) throw new UsageError(`"${out}" already exists and is not replaced: name another file`);
  requireAllShards('redact', values.case);
  await using opened = await openSource(values.case, terminal);
  const from = await caseWith(opened.source, matchAllFilter, { contents: 'whole' });
  const key = options.key === undefined ? randomBytes(32) : await readKey(options.key, terminal);
  const display = displayProgress(terminal);
  let redaction: Redaction;
  try {
    await using into = await openCase(out, { access: 'write', create: true });
    redaction = await redactCase(from, into, {
      key,
      shapeOf: maskMessage,
      onProgress: ({ done, total }) => display.update({ doing: 'Redacting', done, total, unit: 'logs' }),
      signal: terminal.interruption(),
    }).finally(() => display.end());
  } catch (error) {
    // An unfinished copy would pass for a whole one.
    for (const file of [out, `${out}.wal`]) await rm(file, { force: true });
    throw error;
  }
  if (options.json) await terminal.print(`${toJson(redaction, 2)}\n`);
  else await terminal.print(`${textOf(redaction, out)}\n`);
  return exitCodes.done;
};

function textOf({ logs, users, hosts, mails, addresses, secrets, leftOut }: Redaction, out: string): string {
  const unreadable = leftOut === 0 ? '' : ` ${formatCount(leftOut, 'unreadable record')} left out.`;
  const replaced = [
    formatCount(users, 'user'),
    formatCount(hosts, 'host'),
    formatCount(mails, 'mail account'),
    formatCount(addresses, 'IP or hardware number'),
    formatCount(secrets, 'secret'),
  ].join(', ');
  return `${formatCount(logs, 'log')} copied to "${escapeUnsafe(out)}". Replaced: ${replaced}.${unreadable}`;
}

/** Shape of a key file: 32 bytes in hexadecimal digits. */
const keyText = /^[0-9a-f]{64}\s*$/i;

async function readKey(path: string, terminal: Terminal): Promise<Uint8Array> {
  if (!existsSync(path)) {
    const buffer = randomBytes(32);
    try {
      await writeFile(path, `${buffer.toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UsageError(`The key file "${path}" cannot be written: ${reason}`, { cause });
    }
    terminal.message(
      `Key written to "${escapeUnsafe(path)}". Keep it with the original case, never with the copy.`,
    );
    return buffer;
  }
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The key file "${path}" cannot be read: ${reason}`, { cause });
  });
  if (keyText.test(text)) return Buffer.from(text.trim(), 'hex');
  throw new UsageError(`The key file "${path}" must hold 64 hexadecimal digits`);
}
