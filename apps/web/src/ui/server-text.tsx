import type { Message } from '@community/contract'
import { serverText, useT } from '../lib/i18n.ts'

/** A message of the server or a schema, translated if the catalog has it. */
export function ServerText({ of }: { of: Message }) {
  useT()
  return serverText(of)
}
