import { BlacklistEntry, contract } from '@community/contract'
import { aPagination, exampleOf } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  anAuditEntry,
  openAdmin,
  expectRefetch,
  expectText,
  answerQuestion,
  openTab,
} from '../../../test/admin-steps.tsx'
import { appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'

vi.setConfig({ testTimeout: 20_000 })

beforeEach(() => {
  signIn({ role: 'admin' })
})
describe('the audit log', () => {
  it('lists successful and rejected actions, and filters by kind and by administrator', async () => {
    const locked = anAuditEntry(2, { action: 'admin.confirmPassword', details: {}, result: 'ADMIN_PASSWORD_LOCKED' })
    const { inputsOf } = openAdmin({
      'admin.audit': () => ({
        entries: [
          anAuditEntry(1),
          locked,
          anAuditEntry(3, { action: 'admin.somethingNew', details: { before: 'member', somethingNew: 1 } }),
        ],
        pagination: aPagination(3),
      }),
    })
    await openTab('Audit log')
    const table = within(await screen.findByRole('table', { name: 'Audit log' }))
    expect(table.getByRole('row', { name: /Banned a user: Sara El Amrani · Spam.*Done/ })).toBeDefined()
    expect(table.getByRole('row', { name: /Failed a password check.*Too many wrong passwords/ })).toBeDefined()
    expect(table.getAllByRole('rowheader')[0]?.textContent).toBe('Banned a user: Sara El Amrani · Spam')
    const [summary] = table.getAllByText('Show')
    expect(document.getElementById(summary?.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Banned a user: Sara El Amrani · Spam',
    )
    const unknown = table.getByRole('row', { name: /admin\.somethingNew/ })
    expect(within(unknown).getByText('User', { exact: false, selector: 'dd *' }).textContent).toBe(
      `User ${anAuditEntry(3).targetId}`,
    )
    expect(unknown.textContent).toContain('Before: MembersomethingNew: 1')
    await userEvent.selectOptions(screen.getByLabelText('Action'), 'Banned a user')
    await userEvent.click((await screen.findAllByRole('button', { name: 'Lalla Admin' }))[0] ?? document.body)
    await waitFor(() =>
      expect(inputsOf('admin.audit').at(-1)).toEqual({
        page: 1,
        limit: 100,
        action: 'admin.ban',
        actorId: anAuditEntry(1).actor.id,
      }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Clear filter: Lalla Admin' }))
    await waitFor(() => expect(inputsOf('admin.audit')).toContainEqual({ page: 1, limit: 100, action: 'admin.ban' }))
  })

  it('searches on the server, and clears the search', async () => {
    const { inputsOf } = openAdmin({
      'admin.audit': ({ search }) => ({
        entries: search === 'nobody' ? [] : [anAuditEntry(1)],
        pagination: aPagination(search === 'nobody' ? 0 : 1),
      }),
    })
    await openTab('Audit log')
    await screen.findByRole('table', { name: 'Audit log' })
    await fill(screen.getByLabelText('Search the audit log'), ' nobody ')
    expect(await screen.findByText('No entries found')).toBeDefined()
    expect(inputsOf('admin.audit').at(-1)).toEqual({ page: 1, limit: 100, search: 'nobody' })
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await screen.findByRole('table', { name: 'Audit log' })).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Search the audit log').value).toBe('')
  })
})

describe('the blacklist', () => {
  const entry = { ...exampleOf(BlacklistEntry), email: 'spam@example.com' }

  const open = async (handlers: Parameters<typeof openAdmin>[0] = {}) => {
    const backend = openAdmin({
      'admin.blacklist': () => ({ blacklist: [entry], pagination: aPagination(1) }),
      ...handlers,
    })
    await openTab('Blacklist')
    await screen.findByText('spam@example.com')
    return backend
  }
  const submitForm = async (email: string, reason: string) => {
    const dialog = within(await screen.findByRole('dialog', { name: 'Add to the blacklist' }))
    await fill(dialog.getByLabelText('Email'), email)
    await fill(dialog.getByLabelText('Reason'), reason)
    await userEvent.click(dialog.getByRole('button', { name: 'Add address' }))
    return dialog
  }

  it('searches on the server', async () => {
    const { inputsOf } = await open()
    await fill(screen.getByRole('searchbox', { name: 'Search the blacklist' }), 'spam')
    await waitFor(() => expect(inputsOf('admin.blacklist').at(-1)).toEqual({ page: 1, limit: 100, search: 'spam' }))
  })

  it('adds an address, and shows an error at its field', async () => {
    const { requests, inputsOf } = await open({
      'admin.addToBlacklist': ({ email }) => {
        const msg = 'This address is already on the blacklist'
        if (email === 'spam@example.com')
          throw appError('ALREADY_BLACKLISTED', msg, { errors: [{ msg, path: 'email' }] })
        return { entry }
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Add address' }))
    const dialog = await submitForm('nonsense', '')
    expect(await dialog.findByText('Please enter a valid email address')).toBeDefined()
    expect(dialog.getByText('This field is required')).toBeDefined()
    expect(inputsOf('admin.addToBlacklist')).toEqual([])
    await submitForm('spam@example.com', 'Spam')
    await waitFor(() => expect(dialog.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true'))
    await submitForm('More@Example.com', 'Spam')
    await expectText('Address added to the blacklist')
    expect(inputsOf('admin.addToBlacklist').at(-1)).toEqual({ email: 'more@example.com', reason: 'Spam' })
    await expectRefetch(requests, 'admin.addToBlacklist', 'admin.blacklist')
  })

  it('removes an address after a confirmation', async () => {
    const { inputsOf } = await open({ 'admin.removeFromBlacklist': () => ({}) })
    await userEvent.click(screen.getByRole('button', { name: 'Remove', description: 'spam@example.com' }))
    await answerQuestion('Remove')
    await expectText('Address removed from the blacklist')
    expect(inputsOf('admin.removeFromBlacklist')).toEqual([{ id: entry.id }])
  })
})

describe('unsent mails', () => {
  it('can be sent again, or show why not', async () => {
    const mail = {
      ...exampleOf(contract.admin.mails.output.shape.mails.element),
      template: 'code-registration',
      lastError: '550 no such user',
    }
    let isExpired = true
    const { inputsOf } = openAdmin({
      'admin.mails': () => ({ mails: [mail], pagination: aPagination(1) }),
      'admin.retryMail': () => {
        if (isExpired)
          throw appError('MAIL_EXPIRED', 'The code in this email has expired. The recipient must request a new one.')
        return {}
      },
    })
    await openTab('Settings')
    expect(await screen.findByText('550 no such user')).toBeDefined()
    expect(screen.getByText('Sign-up code')).toBeDefined()
    const retry = () => userEvent.click(screen.getByRole('button', { name: 'Resend' }))
    await retry()
    await expectText('The code in this email has expired. The recipient must request a new one.')
    isExpired = false
    await retry()
    await expectText('The email will be sent again')
    expect(inputsOf('admin.retryMail')).toEqual([{ id: mail.id }, { id: mail.id }])
  })

  it('shows that there are none', async () => {
    openAdmin()
    await openTab('Settings')
    expect(await screen.findByText('All emails were sent.')).toBeDefined()
  })
})
