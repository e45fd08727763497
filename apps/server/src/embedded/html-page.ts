import { escapeHtml } from '../mails/escape-html.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  * { box-sizing: border-box; }
  body { max-width: 48rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
  ul { list-style: none; padding: 0; }
  li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 10px; margin-block: .5rem; }
  li a { display: block; padding: .75rem 1rem; color: inherit; text-decoration: none; }
  h3 { margin-block: 1.5rem 0; }
  small { opacity: .75; display: block; }
  iframe { inline-size: 100%; block-size: 28rem; border: 1px solid; border-radius: 10px; }
  pre { white-space: pre-wrap; }
`

/** A page of the development inbox. `body` must be safe HTML. */
export const htmlPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`
