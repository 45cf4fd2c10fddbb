import type { Link, ReplyItem } from '../site/operation.ts';
import { escapeHtml, linkHtml } from './escape-html.ts';
import type { PageContext } from './frame.ts';
import { linksOfAddress, linksOfItem } from './navigation.ts';

/** The HTML of a reply, every text escaped: rows of its members, and a section for each list of objects. */
export function replyHtml(reply: object, frame: PageContext): string {
  const { cell, more } = cellsOf({ ...reply }, frame);
  const members = Object.entries(reply);
  const rows = members.filter(([, value]) => !isTable(value));
  const sections = members.flatMap(([name, value]) =>
    isTable(value) ? [`<h2>${escapeHtml(name)}</h2>\n${wide(name, columnsHtml(value, frame))}`] : [],
  );
  const first = rows.length > 0 || sections.length === 0 ? [wide('Reply', rowsHtml(rows, cell))] : [];
  return [...first, ...sections, linksHtml(more)].join('\n');
}

function isTable(value: unknown): value is readonly ReplyItem[] {
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

/** A section that scrolls on its own if it is too wide, also by keyboard. */
function wide(label: string, html: string): string {
  return `<div class="wide" role="group" aria-label="${escapeHtml(label)}" tabindex="0">${html}</div>`;
}

/** The HTML of a value of JSON: objects as rows, lists of objects as tables with columns. */
function valueHtml(value: unknown, frame: PageContext): string {
  if (Array.isArray(value)) return listHtml(value, frame);
  return isItem(value) ? objectHtml(value, frame) : scalarHtml(value, frame);
}

const none = '<span class="quiet">none</span>';

/** True for a plain object. An instance of a class, such as an exact number, is written as text. */
function isItem(value: unknown): value is ReplyItem {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function objectHtml(item: ReplyItem, frame: PageContext): string {
  const { cell, more } = cellsOf(item, frame);
  return rowsHtml(Object.entries(item), cell) + linksHtml(more);
}

function rowsHtml(members: readonly (readonly [string, unknown])[], cell: Cell): string {
  if (members.length === 0) return none;
  const rows = members.map(
    ([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${cell(name, value)}</td></tr>`,
  );
  return `<table>${rows.join('\n')}</table>`;
}

function listHtml(list: readonly unknown[], frame: PageContext): string {
  if (list.length === 0) return none;
  if (isTable(list)) return columnsHtml(list, frame);
  return `<ul>${list.map((each) => `<li>${valueHtml(each, frame)}</li>`).join('\n')}</ul>`;
}

/** A table with a column for each member. Links come first, where a wide table shows them without scrolling. */
function columnsHtml(items: readonly ReplyItem[], frame: PageContext): string {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = items.map((item) => {
    const { cell, more } = cellsOf(item, frame);
    return { cells: names.map((name) => folded(name, item[name], cell)), more };
  });
  const linked = rows.some(({ more }) => more.length > 0);
  const heads = [...(linked ? ['Pages'] : []), ...names].map((name) => `<th>${escapeHtml(name)}</th>`);
  const body = rows.map(({ cells, more }) => {
    const all = [...(linked ? [linksHtml(more)] : []), ...cells];
    return `<tr>${all.map((each) => `<td>${each}</td>`).join('')}</tr>`;
  });
  return `<table class="columns">
<thead><tr>${heads.join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody>
</table>`;
}

type Cell = (name: string, value: unknown) => string;

/** Writers of an object's cells: the member that becomes a link, and further links. */
function cellsOf(
  item: ReplyItem,
  frame: PageContext,
): { readonly cell: Cell; readonly more: readonly Link[] } {
  const { identifier, more } = linksOfItem(frame, item);
  const cell: Cell = (name, value) =>
    identifier?.member === name
      ? linkHtml({ label: String(value), href: identifier.href })
      : valueHtml(value, frame);
  return { cell, more };
}

/** A cell of a column. Objects and lists are folded, so that rows stay low. */
function folded(name: string, value: unknown, cell: Cell): string {
  if (value === undefined) return '';
  const hasParts = (Array.isArray(value) || isItem(value)) && Object.keys(value).length > 0;
  if (!hasParts) return cell(name, value);
  const count = Array.isArray(value) ? ` (${value.length})` : '';
  return `<details><summary>${escapeHtml(name)}${count}</summary>${cell(name, value)}</details>`;
}

function scalarHtml(value: unknown, frame: PageContext): string {
  if (typeof value === 'number') return numberHtml(value);
  const text = String(value);
  if (typeof value !== 'string' || !/^https?:\/\//.test(text)) return escapeHtml(text);
  return linkHtml({ label: text, href: text }) + linksHtml(linksOfAddress(frame, text));
}

/**
 * Writes a number. Milliseconds since the epoch from 2001 to 2286 are shown as times: nothing else in the
 * interface is as large.
 */
function numberHtml(value: number): string {
  if (!Number.isInteger(value) || value < 1e12 || 1e13 <= value) return String(value);
  const iso = new Date(value).toISOString();
  const words = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return `${value} <time class="quiet" datetime="${iso}">${words}</time>`;
}

function linksHtml(links: readonly Link[]): string {
  return links.length === 0 ? '' : `<div class="links">${links.map(linkHtml).join('\n')}</div>`;
}
