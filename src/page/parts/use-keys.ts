import { useEffect } from 'preact/hooks';

/** Acts on keys that are pressed outside of fields. */
export function useKeys(keys: { readonly [key: string]: () => void }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      const isInField = event.target instanceof Element && event.target.closest('input, textarea, select');
      if (isInField && event.key !== 'Escape') return;
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
