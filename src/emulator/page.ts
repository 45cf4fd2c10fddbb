import { ExactNumber } from '../json/index.ts';
import type { FormField, Operation, Session } from './operation.ts';

/** A value for people: a page with a heading and the value as a table, every text of it escaped. */
export function bodyPage(title: string, body: unknown): string {
  return page(title, table(body));
}

/** The page of an operation that is reached with GET: a form that sends it. One who is signed in need not give a token. */
export function formPage(operation: Operation, session: Session | undefined): string {
  const { title, path, fields, privilege } = operation;
  const token: readonly FormField[] = privilege && !session ? [{ name: 'token', type: 'password' }] : [];
  const format: FormField = { name: 'f', choices: ['html', 'json', 'pjson'] };
  const rows = [...fields, ...token, format].map(
    (field) => `<tr><th>${escapeHtml(field.name)}</th><td>${input(field)}</td></tr>`,
  );
  const files = fields.some(({ type }) => type === 'file') ? ' enctype="multipart/form-data"' : '';
  const csrf = session ? `<input type="hidden" name="csrf" value="${escapeHtml(session.csrf)}">\n` : '';
  const form = `<form method="post" action="${escapeHtml(path)}"${files} autocomplete="off">
${csrf}<table>${rows.join('\n')}</table>
<button>${escapeHtml(title)}</button>
</form>`;
  return page(title, form);
}

/** The text with everything escaped that means something in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}
</body>
</html>
`;
}

function table(value: unknown): string {
  if (typeof value === 'string' && /^https?:\/\//.test(value)) {
    return `<a href="${escapeHtml(value)}" rel="noreferrer">${escapeHtml(value)}</a>`;
  }
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) {
    return escapeHtml(String(value));
  }
  const rows = Object.entries(value).map(
    ([key, item]) => `<tr><th>${escapeHtml(key)}</th><td>${table(item)}</td></tr>`,
  );
  return `<table>${rows.join('\n')}</table>`;
}

function input({ name, type = 'text', value = '', choices }: FormField): string {
  if (type === 'lines')
    return `<textarea name="${escapeHtml(name)}" rows="20" cols="100">${escapeHtml(value)}</textarea>`;
  if (!choices) return `<input name="${escapeHtml(name)}" type="${type}" value="${escapeHtml(value)}">`;
  const options = choices.map((choice) => `<option>${escapeHtml(choice)}</option>`);
  return `<select name="${escapeHtml(name)}">${options.join('')}</select>`;
}
