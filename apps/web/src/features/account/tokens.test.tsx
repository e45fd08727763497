import { PersonalToken } from '@community/contract'
import { exampleOf } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { currentUser } from '../../lib/session.ts'
import { AccountDialog } from './index.tsx'

const SECRET = `cmt_${'a'.repeat(36)}`
const aToken = (overrides: Partial<PersonalToken> = {}): PersonalToken => ({
  ...exampleOf(PersonalToken),
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Backup',
  scopes: ['read'],
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  ...overrides,
})

async function open(handlers: Handlers = {}, overrides: Parameters<typeof signIn>[0] = {}) {
  const user = signIn(overrides)
  const backend = fakeBackend({
    'users.profile': () => ({ user: currentUser() ?? user }),
    'users.tokens': () => ({ tokens: [] }),
    ...handlers,
  })
  renderWithProviders(<AccountDialog onClose={() => undefined} />)
  await userEvent.click(screen.getByRole('tab', { name: 'Access tokens' }))
  return backend
}

const openForm = () => userEvent.click(screen.getByRole('button', { name: 'New access token' }))
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Create access token' }))

describe('account: access tokens', () => {
  it('lists name, scopes, expiry and last use', async () => {
    await open({
      'users.tokens': () => ({
        tokens: [
          aToken({ scopes: ['write', 'admin'], expiresAt: '2020-01-01T10:00:00.000Z' }),
          aToken({
            id: '00000000-0000-4000-8000-000000000002',
            name: 'Poller',
            lastUsedAt: '2026-11-20T10:00:00.000Z',
          }),
        ],
      }),
    })
    const [backup, poller] = await screen.findAllByRole('listitem')
    expect(backup?.textContent).toMatch(/BackupWriteAdministrationExpired.*Never used/)
    expect(poller?.textContent).toMatch(/PollerReadCreated.*No expirationLast used/)
  })

  it('creates a token and shows its secret once', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const tokens: PersonalToken[] = []
    const { inputsOf } = await open({
      'users.tokens': () => ({ tokens: [...tokens] }),
      'users.createToken': ({ name }) => {
        tokens.push(aToken({ name, scopes: ['read', 'write'] }))
        return { token: aToken({ name }), secret: SECRET }
      },
    })
    expect(await screen.findByText('You have no access tokens.')).toBeDefined()
    await openForm()
    await userEvent.type(screen.getByLabelText('Token name'), 'Nightly')
    await userEvent.click(screen.getByLabelText(/^Write/))
    expect(screen.queryByLabelText(/^Administration/)).toBeNull()
    await userEvent.selectOptions(screen.getByLabelText('Expiration'), 'No expiration')
    await userEvent.type(screen.getByLabelText('Current Password'), 'Majorelle-2026')
    await submit()
    const shown = await screen.findByLabelText<HTMLInputElement>('Your new access token')
    expect(shown.value).toBe(SECRET)
    expect(inputsOf('users.createToken')).toEqual([
      { name: 'Nightly', scopes: ['read', 'write'], expiresInDays: null, currentPassword: 'Majorelle-2026' },
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Copy' }))
    expect(writeText).toHaveBeenCalledWith(SECRET)
    await userEvent.click(screen.getByRole('button', { name: 'I’ve saved it' }))
    expect(screen.queryByLabelText('Your new access token')).toBeNull()
    expect(await screen.findByRole('button', { name: 'Revoke Nightly' })).toBeDefined()
  })

  it('shows errors of the schema and the server at their fields', async () => {
    const message = 'You already have an access token with this name'
    const { inputsOf } = await open(
      {
        'users.createToken': () => {
          throw appError('TOKEN_NAME_TAKEN', message, { errors: [{ msg: message, path: 'name' }] })
        },
      },
      { role: 'admin' },
    )
    await openForm()
    await userEvent.click(screen.getByLabelText(/^Read/))
    await submit()
    expect(await screen.findByText('Choose at least one scope')).toBeDefined()
    expect(screen.getByText('Password is required')).toBeDefined()
    await userEvent.type(screen.getByLabelText('Token name'), 'Backup')
    await userEvent.type(screen.getByLabelText('Current Password'), 'Majorelle-2026')
    await userEvent.click(screen.getByLabelText(/^Administration/))
    await userEvent.selectOptions(screen.getByLabelText('Expiration'), '1 year')
    await submit()
    expect(await screen.findByText('A token with the Administration scope can last at most 30 days')).toBeDefined()
    expect(inputsOf('users.createToken')).toEqual([])
    await userEvent.selectOptions(screen.getByLabelText('Expiration'), '7 days')
    await submit()
    await waitFor(() => expect(screen.getByLabelText('Token name').getAttribute('aria-invalid')).toBe('true'))
    expect(inputsOf('users.createToken')).toMatchObject([{ scopes: ['admin'], expiresInDays: 7 }])
  })

  it('asks an account without a password for none', async () => {
    const { inputsOf } = await open(
      { 'users.createToken': () => ({ token: aToken(), secret: SECRET }) },
      { hasPassword: false },
    )
    await openForm()
    expect(screen.queryByLabelText('Current Password')).toBeNull()
    await userEvent.type(screen.getByLabelText('Token name'), 'Backup')
    await submit()
    await screen.findByLabelText('Your new access token')
    expect(inputsOf('users.createToken')).toEqual([{ name: 'Backup', scopes: ['read'], expiresInDays: 30 }])
  })

  it('describes the scopes by their error, and focuses the first', async () => {
    const { inputsOf } = await open({}, { hasPassword: false })
    await openForm()
    await userEvent.type(screen.getByLabelText('Token name'), 'Backup')
    const read = screen.getByRole('checkbox', { name: /^Read/ })
    await userEvent.click(read)
    await submit()
    await screen.findByRole('group', { name: 'Scopes', description: 'Choose at least one scope' })
    expect(document.activeElement).toBe(read)
    expect(inputsOf('users.createToken')).toEqual([])
  })

  it('revokes a token after a question', async () => {
    let tokens = [aToken()]
    const { inputsOf } = await open({
      'users.tokens': () => ({ tokens }),
      'users.revokeToken': () => {
        tokens = []
        return {}
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke Backup' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText('Revoke “Backup”?')).toBeDefined()
    await userEvent.click(question.getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('You have no access tokens.')).toBeDefined()
    expect(inputsOf('users.revokeToken')).toEqual([{ id: aToken().id }])
  })

  it('shows that the list could not be loaded, and tries again', async () => {
    let isDown = true
    await open({
      'users.tokens': () => {
        if (isDown) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return { tokens: [aToken()] }
      },
    })
    expect(await screen.findByText('Failed to load access tokens', {}, { timeout: 10_000 })).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: /try again|retry/i }))
    expect(await screen.findByText('Backup')).toBeDefined()
  }, 15_000)
})
