import { serverText, useT } from '../lib/i18n.ts'

/** A text that came from the server or a schema, in the reader's language where we know it. */
export function ServerText({ children }: { children: string }) {
  useT()
  return serverText(children).text
}
