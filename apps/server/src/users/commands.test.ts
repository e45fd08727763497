import { inTransaction } from '@community/db'
import { afterAll, expect, it } from 'vitest'
import { openFixture } from '../../test/fixture.ts'
import { type ProfileChange, type Contact, updateContact, updateProfileRow } from './commands.ts'
import { findAccountById } from './account-queries.ts'

const fixture = await openFixture()
afterAll(() => fixture.close())

it('writes no field of an account that the profile form does not name', async () => {
  const member = await fixture.createMember()
  const change: ProfileChange = Object.assign(
    { bio: 'new' },
    { role: 'admin', avatarUrl: 'http://a.test/b', email: 'x@y.test' },
  )
  const row = await inTransaction(fixture.db, (tx) => updateProfileRow(tx, member, change))
  expect(row).toMatchObject({ bio: 'new', role: 'member', avatarUrl: null, email: member.email })
})

it('writes no field of an account that is not contact data', async () => {
  const member = await fixture.createMember()
  const contact: Contact = Object.assign({ phone: '0612345678' }, { role: 'admin', name: 'Other' })
  await inTransaction(fixture.db, (tx) => updateContact(tx, member.id, contact))
  expect(await findAccountById(fixture.db, member.id)).toMatchObject({
    phone: '0612345678',
    role: 'member',
    name: member.name,
  })
})
