import { serverText, useT } from '../lib/i18n.ts'

/** A text that came from the server or a schema: translated when we know it, else as it stands, isolated in its own direction. */
export function ServerText({ children }: { children: string }) {
  useT()
  const { text, known } = serverText(children)
  return known ? text : <bdi>{text}</bdi>
}
