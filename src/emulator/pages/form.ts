import { replyFormats } from '../../protocol/index.ts';
import type { FormField, Operation } from '../site/operation.ts';
import { escapeHtml } from './escape-html.ts';
import { type PageContext, requestPath } from './frame.ts';

/** The HTML form of an operation with these values. A user that is signed in needs no token. */
export function formHtml(
  operation: Operation,
  frame: PageContext,
  values: Readonly<Record<string, string>>,
): string {
  const { title, fields, privilege, isPageOnly = false } = operation;
  const wantsToken = privilege !== undefined && !frame.session;
  const all = [...fields, ...(wantsToken ? [tokenField] : []), ...(isPageOnly ? [] : [formatField])];
  const files = fields.some(({ type }) => type === 'file') ? ' enctype="multipart/form-data"' : '';
  const rows = all.map((field) => fieldHtml({ ...field, value: values[field.name] ?? field.value ?? '' }));
  return `<form method="post" action="${escapeHtml(requestPath(frame))}"${files} autocomplete="${isPageOnly ? 'on' : 'off'}">
${csrfHtml(frame)}${rows.join('\n')}
<p><button>${escapeHtml(title)}</button></p>
</form>`;
}

const tokenField: FormField = { name: 'token', type: 'password' };
const formatField: FormField = { name: 'f', choices: replyFormats, hint: 'How the answer is written' };

/** The hidden field that proves that a form is from a page of this session; empty without a session. */
export function csrfHtml({ session }: Pick<PageContext, 'session'>): string {
  return session ? `<input type="hidden" name="csrf" value="${escapeHtml(session.csrf)}">\n` : '';
}

function fieldHtml(field: FormField): string {
  if (field.type === 'hidden') return inputHtml(field);
  const id = `field-${escapeHtml(field.name)}`;
  const hint =
    field.hint === undefined ? '' : `<span id="${id}-hint" class="quiet">${escapeHtml(field.hint)}</span>`;
  return `<div class="field"><label for="${id}">${escapeHtml(field.name)}</label>${hint}
${inputHtml(field)}</div>`;
}

function inputHtml(field: FormField): string {
  const { type = 'text', value = '', choices } = field;
  if (choices) {
    const options = choices.map((choice) => optionHtml(choice, choice === value));
    return `<select ${attributesOf(field)}>${options.join('')}</select>`;
  }
  // HTML ignores a line break directly after the tag.
  if (type === 'lines') {
    return `<textarea ${attributesOf(field)} rows="20" spellcheck="false">\n${escapeHtml(value)}</textarea>`;
  }
  const filled = type === 'password' || type === 'file' ? '' : ` value="${escapeHtml(value)}"`;
  return `<input ${attributesOf(field)} type="${type}"${filled}>`;
}

function optionHtml(choice: string, isChosen: boolean): string {
  const selected = isChosen ? ' selected' : '';
  return choice === ''
    ? `<option value=""${selected}>(not given)</option>`
    : `<option${selected}>${escapeHtml(choice)}</option>`;
}

function attributesOf({ name, type, hint, required, autocomplete }: FormField): string {
  // Browsers offer to fill in and save passwords, unless `autocomplete` is off.
  const filledBy = autocomplete ?? (type === 'password' ? 'off' : undefined);
  const id = `field-${escapeHtml(name)}`;
  return [
    `name="${escapeHtml(name)}"`,
    ...(type === 'hidden' ? [] : [`id="${id}"`]),
    ...(hint === undefined ? [] : [`aria-describedby="${id}-hint"`]),
    ...(required ? ['required'] : []),
    ...(filledBy === undefined ? [] : [`autocomplete="${escapeHtml(filledBy)}"`]),
  ].join(' ');
}
