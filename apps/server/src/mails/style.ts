/** Colours of mails; text and links have a contrast of at least 4.5:1 (WCAG 2.2). */
export const COLOURS = {
  light: { background: '#ffffff', foreground: '#1c2024', link: '#0b57b0' },
  dark: { background: '#15181b', foreground: '#e8eaed', link: '#9ccaff' },
} as const

const { background, foreground, link } = COLOURS.dark

/** No images, web fonts or fixed widths: readable at 320 px and with large text. */
export const STYLE = [
  ':root{color-scheme:light dark}',
  "body{margin:0;padding:24px;font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans Arabic',sans-serif;overflow-wrap:anywhere}",
  '.mail{max-width:480px;margin:0 auto}',
  'h1{font-size:20px;line-height:1.4;margin:0}',
  '.line{margin:12px 0}',
  '.label{font-weight:600}',
  '.foot{margin-top:32px;font-size:14px}',
  '.code{margin:24px 0;font:700 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px}',
  `@media(prefers-color-scheme:dark){body{background:${background}!important;color:${foreground}!important}a{color:${link}!important}}`,
].join('')
