import type { Message } from '@community/contract'
import { serverText, useT } from '../lib/i18n.ts'

/** What the server or a schema says, in the reader's language where we know it. */
export function ServerText({ of }: { of: Message }) {
  useT()
  return serverText(of)
}
