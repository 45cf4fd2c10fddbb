import { createHash } from 'node:crypto';

/** The style of all pages, light and dark, also for narrow screens. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1c1e21; --quiet: #5a6068; --line: #d4d8dd; --back: #fff; --field: #fff;
  --link: #0b57b0; --press: #0b57b0; --pressed: #fff; --bad: #a4161a; --bad-back: #fdf1f1 }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --quiet: #a2a9b3; --line: #43484f; --back: #17191c;
  --field: #202327; --link: #8ab8f5; --press: #8ab8f5; --pressed: #10151c; --bad: #ff9d98; --bad-back: #351c1d } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 68rem; padding: 0 1.25rem 3rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--back); overflow-wrap: anywhere }
a { color: var(--link) }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem; align-items: center;
  border-bottom: 1px solid var(--line); padding: .5rem 0 }
header form, header p { margin: 0 }
nav ol { display: flex; flex-wrap: wrap; list-style: none; margin: 0; padding: 0 }
nav ol li + li::before { content: "/"; color: var(--quiet); padding: 0 .5rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.25rem 0 1rem }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .25rem }
.quiet { color: var(--quiet); font-size: .875rem }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600; overflow-wrap: normal }
td > table { margin-top: -.35rem }
td > table > tbody > tr:last-child > *, td > table > tr:last-child > * { border-bottom: 0 }
.wide { overflow-x: auto }
.columns { font-size: .9375rem; width: max-content }
.columns td { overflow-wrap: break-word }
.columns td:not(:has(table)) { max-width: 24rem }
summary { white-space: nowrap }
summary { cursor: pointer; color: var(--link) }
time { white-space: nowrap }
ul { margin: 0; padding-left: 1.25rem }
.links a { margin-right: 1rem }
nav ul li { line-height: 1.75 }
.field { margin: 0 0 1rem; max-width: 34rem }
.field:has(textarea) { max-width: none }
label { display: block; font-weight: 600 }
.field .quiet { display: block; margin-bottom: .2rem }
input:not([type=hidden]), select, textarea { width: 100%; font: inherit; color: inherit; background: var(--field);
  border: 1px solid var(--quiet); border-radius: 4px; padding: .4rem .5rem }
textarea { font: .875rem/1.45 ui-monospace, monospace }
button { font: inherit; color: var(--pressed); background: var(--press); border: 1px solid var(--press);
  border-radius: 4px; padding: .35rem 1rem; cursor: pointer }
header button { color: var(--link); background: none; border-color: var(--line); padding: .15rem .6rem; margin-left: .5rem }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.error { border-left: 4px solid var(--bad); background: var(--bad-back); padding: .75rem 1rem; margin: 0 0 1.5rem }
.error p { margin: 0 } .error strong { color: var(--bad) }
.formats { margin-top: 2rem } .formats a { margin-right: .75rem }
@media (max-width: 40rem) { body { padding: 0 .9rem 2rem } .columns td:not(:has(table)) { max-width: 13rem }
  table:not(.columns) > tbody > tr > * { display: block; border: 0; padding: .1rem 0 }
  table:not(.columns) > tbody > tr > td { border-bottom: 1px solid var(--line); padding-bottom: .35rem; min-height: .5rem } }
`;

/** Digest that allows this style alone in the content security policy. */
export const pageStyleDigest = `'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`;
