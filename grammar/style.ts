/** The style of the page, in light and dark. Only diagrams may be wider than the window, and scroll by themselves. */
export const style = `
:root {
  color-scheme: light dark;
  --text: #1c2733; --quiet: #51606f; --page: #fff; --line: #1c2733; --link: #0b5a9d;
  --typed: #dff0e4; --rule: #e4ecf7; --frame: #d3dae1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e9ef; --quiet: #a5b2bf; --page: #12181f; --line: #9fb0c0; --link: #8cc4f5;
    --typed: #1d3b2a; --rule: #1f3350; --frame: #34414e;
  }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; color: var(--text); background: var(--page); }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.25rem; margin: 2rem 0 0; }
h3 { font: 600 1rem/1.5 ui-monospace, monospace; margin: 1.5rem 0 0.25rem; scroll-margin-top: 1rem; }
h3 a { color: inherit; text-decoration: none; }
h3:target { outline: 2px solid var(--link); outline-offset: 4px; }
a { color: var(--link); }
nav { border: 1px solid var(--frame); border-radius: 6px; padding: 0.5rem 1rem; }
nav h2 { font-size: 0.875rem; color: var(--quiet); margin: 0.5rem 0 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0; padding: 0; font-family: ui-monospace, monospace; }
nav li a { display: inline-block; min-height: 1.75rem; }
.diagram { overflow-x: auto; }
svg { display: block; }
path { fill: none; stroke: var(--line); stroke-width: 2; }
text { font: 14px ui-monospace, monospace; text-anchor: middle; fill: var(--text); white-space: pre; }
text.comment { font: italic 12px system-ui, sans-serif; fill: var(--quiet); }
rect { fill: var(--page); stroke: var(--line); stroke-width: 2; }
.terminal rect { fill: var(--typed); }
.non-terminal rect { fill: var(--rule); }
.non-terminal text { fill: var(--link); }
@media print { body { max-width: none; } svg { max-width: 100%; height: auto; } }
`;
