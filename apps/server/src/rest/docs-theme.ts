/** The product's colours over Swagger UI's style sheets, light and dark. */
const CSS = `
:root { --ui-bg: #fbf8f3; --ui-surface: #ffffff; --ui-ink: #1a2130; --ui-primary: #1e4aa6; --ui-on-primary: #ffffff; --ui-line: #ded6c8; }
html.dark-mode { --ui-bg: #0e1421; --ui-surface: #151d2d; --ui-ink: #eef1f6; --ui-primary: #8fb3ff; --ui-on-primary: #0b1530; --ui-line: #2b374d; background: var(--ui-bg); }
body, .swagger-ui, html.dark-mode .swagger-ui { background: var(--ui-bg); color: var(--ui-ink); }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .btn { font-family: system-ui, sans-serif; }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { background: var(--ui-surface); border-block: 1px solid var(--ui-line); box-shadow: none; }
.swagger-ui .info a, .swagger-ui .opblock-description-wrapper a { color: var(--ui-primary); }
/* Its dark sheet colours these with more specific selectors. */
.swagger-ui .btn.authorize, .swagger-ui .btn.execute { background: var(--ui-primary); border-color: var(--ui-primary) !important; color: var(--ui-on-primary) !important; }
.swagger-ui .btn.authorize svg { color: inherit !important; fill: currentColor; }
.swagger-ui :focus-visible { outline: 3px solid var(--ui-primary); }
.swagger-ui .renderedMarkdown code, html.dark-mode .swagger-ui .renderedMarkdown code { background: var(--ui-surface); color: var(--ui-primary); font-weight: 500; }
html.dark-mode .swagger-ui table.headers td { color: var(--ui-ink); }
/* Long addresses, tables and snippets scroll or break: the page itself never does. */
.swagger-ui .info { overflow-wrap: anywhere; }
.swagger-ui .info table { display: block; overflow-x: auto; }
.swagger-ui .renderedMarkdown pre { overflow-x: auto; white-space: pre; }
.swagger-ui .renderedMarkdown pre code { white-space: pre; }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding-inline: 0.75rem; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; overflow-wrap: anywhere; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; column-gap: 0.75rem; }
  .swagger-ui .opblock-tag small { min-width: 0; padding: 0; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; gap: 1rem; }
  .swagger-ui .servers > label select { max-width: 100%; min-width: 0; }
  .swagger-ui table { display: block; overflow-x: auto; }
  .swagger-ui table.headers td, .swagger-ui table.headers th { overflow-wrap: normal; padding-inline: 0 0.5rem; vertical-align: top; }
  .swagger-ui table.headers td:last-child, .swagger-ui table.headers th:last-child { display: none; }
  .swagger-ui .dialog-ux .modal-ux { min-width: 0; width: calc(100vw - 1rem); }
  .swagger-ui .auth-container input[type="text"], .swagger-ui .filter .operation-filter-input { min-width: 0; width: 100%; }
}
`

/** Follows the system's theme; Swagger UI's own switch is in the bar that we leave out. */
const JS = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', apply)
apply()
document.documentElement.lang = 'en'
`

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#1E4AA6" d="M32 0l9.37 9.37h13.26v13.26L64 32l-9.37 9.37v13.26H41.37L32 64l-9.37-9.37H9.37V41.37L0 32l9.37-9.37V9.37h13.26z"/></svg>'

/** The theme of Swagger UI. */
export const docsTheme = (title: string) => ({
  title,
  css: [{ filename: 'community.css', content: CSS }],
  js: [{ filename: 'community.js', content: JS }],
  favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: ICON }],
})
