import { NOTIFICATION_KINDS } from '@community/contract'
import { expect, it } from 'vitest'
import { NEVER_MAILED } from './notification-kinds.ts'

it('knows the kinds that are never mailed', () => {
  const kinds = Object.entries(NOTIFICATION_KINDS)
  expect(NEVER_MAILED).toEqual(kinds.flatMap(([name, { channels }]) => (channels.mail === 'off' ? [name] : [])))
})
