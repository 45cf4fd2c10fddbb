/** Escapes a text for HTML, also within the quotes of an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A link with escaped label and address. It sends no `Referer` header. */
export function linkHtml({ label, href }: { readonly label: string; readonly href: string }): string {
  return `<a href="${escapeHtml(href)}" rel="noreferrer">${escapeHtml(label)}</a>`;
}
