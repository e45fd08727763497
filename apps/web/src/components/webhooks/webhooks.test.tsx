import { Webhook, WebhookDelivery } from '@community/contract'
import { aPagination, exampleOf } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { appError, fakeBackend, type Handlers } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { Webhooks } from './index.tsx'

const TEAM = '00000000-0000-4000-8000-00000000000a'
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const URL = 'https://hooks.example/community'
const aWebhook = (overrides: Partial<Webhook> = {}): Webhook => ({
  ...exampleOf(Webhook),
  id: '00000000-0000-4000-8000-000000000001',
  teamId: TEAM,
  url: URL,
  events: ['team.member.joined'],
  isActive: true,
  failingSince: null,
  ...overrides,
})
const aDelivery = (overrides: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  ...exampleOf(WebhookDelivery),
  id: '00000000-0000-4000-8000-000000000002',
  event: 'team.member.joined',
  status: 'delivered',
  attempts: 1,
  responseStatus: 204,
  error: null,
  nextAttemptAt: null,
  ...overrides,
})

interface Viewer {
  role?: 'member' | 'admin'
  teamId?: string | null
}

const listOf = (...webhooks: Webhook[]) => ({ webhooks, pagination: { limit: 100, nextCursor: null } })
function open(handlers: Handlers = {}, { role = 'member', teamId = TEAM }: Viewer = {}) {
  signIn({ role })
  const backend = fakeBackend({
    'webhooks.list': () => listOf(aWebhook()),
    'webhooks.deliveries': () => ({ deliveries: [], pagination: aPagination(0) }),
    ...handlers,
  })
  renderWithProviders(<Webhooks teamId={teamId} />)
  return backend
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const choose = async (action: string) => {
  await press(`Actions for ${URL}`)
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

describe('the list of webhooks', () => {
  it('shows those of the team with events and state, and no others', async () => {
    open({
      'webhooks.list': () =>
        listOf(
          aWebhook({ isActive: false, failingSince: '2026-11-20T10:00:00.000Z' }),
          aWebhook({ id: '00000000-0000-4000-8000-000000000009', teamId: null, url: 'https://other.example/' }),
        ),
    })
    const [row, ...others] = await screen.findAllByRole('listitem')
    expect(row?.textContent).toMatch(/hooks\.example\/community.*Pausedteam\.member\.joined.*Failing since/)
    expect(others).toEqual([])
  })

  it('is empty at first', async () => {
    open({ 'webhooks.list': () => listOf() })
    expect(await screen.findByText('There are no webhooks yet.')).toBeDefined()
  })

  it('says that it could not be loaded, and tries again', async () => {
    let isDown = true
    open({
      'webhooks.list': () => {
        if (isDown) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return listOf(aWebhook())
      },
    })
    expect(await screen.findByText('Failed to load webhooks', {}, { timeout: 10_000 })).toBeDefined()
    isDown = false
    await press('Try Again')
    expect(await screen.findByRole('button', { name: `Actions for ${URL}` })).toBeDefined()
  }, 15_000)
})

describe('a webhook', () => {
  it('is created, and its secret shown once', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const { inputsOf } = open({ 'webhooks.create': () => ({ webhook: aWebhook(), secret: SECRET }) })
    await press('New webhook')
    expect(document.activeElement).toBe(screen.getByLabelText('URL of your server'))
    await press('Create webhook')
    expect(await screen.findByText('Choose at least one event')).toBeDefined()
    expect(screen.queryByLabelText(/^user\.banned/)).toBeNull()
    await userEvent.type(screen.getByLabelText('URL of your server'), URL)
    await userEvent.click(screen.getByLabelText(/^submission\.approved/))
    await press('Create webhook')
    expect((await screen.findByLabelText<HTMLInputElement>('Signing secret')).value).toBe(SECRET)
    expect(inputsOf('webhooks.create')).toEqual([{ teamId: TEAM, url: URL, events: ['submission.approved'] }])
    await press('Copy')
    expect(writeText).toHaveBeenCalledWith(SECRET)
    await press('I’ve saved it')
    expect(screen.queryByDisplayValue(SECRET)).toBeNull()
    expect(await screen.findByRole('button', { name: `Actions for ${URL}` })).toBeDefined()
  })

  it('says above the list of events that none is chosen', async () => {
    open()
    await press('New webhook')
    await press('Create webhook')
    const error = await screen.findByText('Choose at least one event')
    const [first] = screen.getAllByRole('checkbox')
    expect(first && error.compareDocumentPosition(first)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('shows the server’s error at the URL', async () => {
    const message = 'Use a public https URL'
    open({
      'webhooks.create': () => {
        throw appError('WEBHOOK_ADDRESS_PRIVATE', message, { errors: [{ msg: message, path: 'url' }] })
      },
    })
    await press('New webhook')
    await userEvent.type(screen.getByLabelText('URL of your server'), 'https://10.0.0.1/')
    await userEvent.click(screen.getByLabelText(/^challenge\.closed/))
    await press('Create webhook')
    expect(await screen.findByText(message)).toBeDefined()
    expect(screen.getByLabelText('URL of your server').getAttribute('aria-invalid')).toBe('true')
  })

  it('is edited, paused, and deleted after a question', async () => {
    let webhooks = [aWebhook()]
    const { inputsOf } = open({
      'webhooks.list': () => listOf(...webhooks),
      'webhooks.update': ({ id: _id, ...changes }) => {
        webhooks = [{ ...aWebhook(), ...(changes as Partial<Webhook>) }]
        return { webhook: aWebhook() }
      },
      'webhooks.remove': () => {
        webhooks = []
        return {}
      },
    })
    await choose('Edit')
    expect(screen.getByLabelText<HTMLInputElement>('URL of your server').value).toBe(URL)
    await userEvent.click(screen.getByLabelText(/^team\.member\.left/))
    await press('Save changes')
    expect(await screen.findByText('team.member.left')).toBeDefined()
    await choose('Pause')
    expect(await screen.findByText('Paused')).toBeDefined()
    const { id } = aWebhook()
    expect(inputsOf('webhooks.update')).toEqual([
      { id, url: URL, events: ['team.member.joined', 'team.member.left'] },
      { id, isActive: false },
    ])
    await choose('Delete')
    const question = within(await screen.findByRole('alertdialog'))
    expect(inputsOf('webhooks.remove')).toEqual([])
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('There are no webhooks yet.')).toBeDefined()
    expect(inputsOf('webhooks.remove')).toEqual([{ id }])
  })

  it('asks administrators for their password', async () => {
    const { inputsOf } = open(
      {
        'webhooks.list': () => listOf(aWebhook({ teamId: null })),
        'webhooks.rotateSecret': () => ({ webhook: aWebhook(), secret: SECRET }),
      },
      { role: 'admin', teamId: null },
    )
    await choose('Replace secret')
    const question = within(await screen.findByRole('dialog'))
    await userEvent.type(question.getByLabelText('Your password'), 'Majorelle-2026')
    await userEvent.click(question.getByRole('button', { name: 'Replace secret' }))
    const shown = await screen.findByDisplayValue(SECRET)
    await waitFor(() => expect(document.activeElement).toBe(shown))
    expect(inputsOf('webhooks.rotateSecret')).toEqual([{ id: aWebhook().id, password: 'Majorelle-2026' }])
  })
})

describe('the delivery log', () => {
  it('follows a ping until it arrived', async () => {
    const pending = aDelivery({ event: 'ping', status: 'pending', attempts: 0, responseStatus: null })
    let deliveries = [{ ...pending, nextAttemptAt: new Date().toISOString() as string | null }]
    open({
      'webhooks.ping': () => ({ delivery: pending }),
      'webhooks.deliveries': () => ({ deliveries, pagination: aPagination(1) }),
    })
    await press(`Send ping ${URL}`)
    const row = within(await screen.findByRole('list', { name: 'Deliveries' })).getByRole('listitem')
    expect(row.textContent).toMatch(/pingPending.*Not sent yet/)
    deliveries = [aDelivery({ event: 'ping' })]
    await waitFor(() => expect(row.textContent).toMatch(/Delivered.*1 attempt · Response code 204/), { timeout: 5000 })
  })

  it('shows why an attempt failed and when the next one is, and sends again', async () => {
    const failed = aDelivery({
      status: 'pending',
      attempts: 3,
      responseStatus: null,
      error: 'the connection was refused',
      nextAttemptAt: '2030-11-23T10:00:00.000Z',
    })
    const { inputsOf } = open({
      'webhooks.deliveries': () => ({ deliveries: [failed], pagination: aPagination(1) }),
      'webhooks.redeliver': () => ({ delivery: failed }),
    })
    await press(`Deliveries ${URL}`)
    const row = await screen.findByRole('listitem')
    expect(row.textContent).toMatch(/3 attempts · Not delivered: the connection was refused · Next attempt 23 Nov 2030/)
    await userEvent.click(within(row).getByRole('button', { name: 'Send again team.member.joined' }))
    await waitFor(() => expect(inputsOf('webhooks.redeliver')).toEqual([{ id: aWebhook().id, deliveryId: failed.id }]))
    await press('All webhooks')
    expect(await screen.findByRole('button', { name: 'New webhook' })).toBeDefined()
  })
})
