/** Style of the page of a report, in light, dark and print. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --text: #1c2733; --quiet: #51606f; --page: #fff; --panel: #f5f7f9; --frame: #d3dae1; --link: #0b5a9d;
  --severe: #c0262d; --warning: #b35c00; --info: #2b6cb0; --fine: #5b7f95; --verbose: #7d8b99; --debug: #98a4b0; --other: #8a6fb0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e9ef; --quiet: #a5b2bf; --page: #12181f; --panel: #1a222b; --frame: #34414e; --link: #8cc4f5;
    --severe: #ff6b6b; --warning: #f0a040; --info: #6aaef2; --fine: #8fb3c9; --verbose: #8796a5; --debug: #66727f; --other: #b79be0;
  }
}
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 0 auto; padding: 1rem; color: var(--text); background: var(--page); }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.25rem; scroll-margin-top: 1rem; }
a { color: var(--link); }
.quiet, figcaption, .about { color: var(--quiet); }
.about { margin: 0 0 0.5rem; max-width: 60rem; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0; padding: 0; }
nav a { display: inline-block; min-height: 1.75rem; }
li { overflow-wrap: anywhere; }
.intro { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.limits { border-left: 4px solid var(--warning); background: var(--panel); padding: 0.25rem 1rem; }
.intro h2 { margin-top: 0.5rem; }
.intro ul { padding-left: 1.25rem; margin: 0.5rem 0; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; background: var(--panel); border: 1px solid var(--frame); border-radius: 6px; padding: 0.75rem; margin: 1rem 0; }
form label { display: grid; font-size: 0.85rem; color: var(--quiet); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: 0 0.75rem; }
legend { font-size: 0.85rem; color: var(--quiet); padding: 0; }
fieldset label { display: flex; gap: 0.25rem; align-items: center; color: var(--text); min-height: 2rem; }
input, select, button { font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.25rem 0.5rem; min-height: 2rem; max-width: 100%; }
input[type=checkbox] { min-height: 0; width: 1.1rem; height: 1.1rem; }
select { max-width: 16rem; }
output { flex-basis: 100%; }
figure { margin: 0; }
svg { display: block; }
.chart { overflow-x: auto; touch-action: pan-x; cursor: crosshair; }
.chart > svg { min-width: 40rem; width: 100%; height: auto; }
text { font: 12px system-ui, sans-serif; fill: var(--quiet); }
.axis { stroke: var(--frame); }
.l0 { fill: var(--severe); } .l1 { fill: var(--warning); } .l2 { fill: var(--info); } .l3 { fill: var(--fine); }
.l4 { fill: var(--verbose); } .l5 { fill: var(--debug); } .l6 { fill: var(--other); }
.complete { fill: var(--frame); } .capped, .open, .partly { fill: var(--warning); } .never { fill: var(--severe); }
.chosen { fill: var(--link); opacity: 0.15; }
.spark rect { fill: var(--info); }
.key { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0.25rem 0; padding: 0; font-size: 0.85rem; }
.key svg { display: inline-block; vertical-align: -1px; margin-right: 0.3rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; width: 100%; }
table.short { width: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--frame); }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.code { font-family: ui-monospace, monospace; font-size: 0.8rem; max-width: 18rem; overflow-wrap: anywhere; }
#investigation .code { min-width: 26rem; }
.id { font-family: ui-monospace, monospace; font-size: 0.8rem; white-space: nowrap; }
.text { min-width: 8rem; overflow-wrap: anywhere; }
.message { min-width: 24rem; overflow-wrap: anywhere; }
.SEVERE { color: var(--severe); font-weight: 600; } .WARNING { color: var(--warning); font-weight: 600; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.25rem 0; }
summary { cursor: pointer; color: var(--quiet); min-height: 1.5rem; }
[hidden] { display: none !important; }
@media screen and (max-width: 40rem) {
  .chart { overflow: visible; }
  .chart > svg { min-width: 0; overflow: visible; }
  .chart text { font-size: 30px; }
  .chart text[text-anchor=middle] { display: none; }
}
@page { size: A4 landscape; margin: 12mm; }
@media print {
  :root { color-scheme: light; --text: #000; --quiet: #444; --page: #fff; --panel: #fff; --frame: #bbb; --link: #000;
    --severe: #c0262d; --warning: #b35c00; --info: #2b6cb0; --fine: #5b7f95; --verbose: #7d8b99; --debug: #98a4b0; --other: #8a6fb0; }
  body { font-size: 9pt; padding: 0; max-width: none; }
  form, nav, noscript, figcaption { display: none; }
  h1 { font-size: 15pt; } h2 { font-size: 11pt; margin-top: 12pt; break-after: avoid; }
  .about, .none { break-after: avoid; max-width: none; }
  tr, figure, .limits { break-inside: avoid; }
  thead { display: table-header-group; }
  .table, .chart { overflow: visible; }
  .chart > svg { min-width: 0; max-height: 60mm; }
  .key { font-size: 7.5pt; }
  table, table.short { font-size: 7pt; line-height: 1.3; }
  th, td { padding: 1.5pt 5pt 1.5pt 0; }
  .code, .id { font-size: 6.5pt; }
  .code, #investigation .code { max-width: none; min-width: 14rem; }
  .number { white-space: nowrap; } .time, .id { white-space: normal; }
  .text { min-width: 4rem; max-width: 11rem; }
  .message { min-width: 14rem; }
  svg.spark { width: 4rem; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
