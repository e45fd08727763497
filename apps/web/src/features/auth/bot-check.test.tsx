import type { ProofOfWorkChallenge } from '@community/contract'
import { publicSettings } from '@community/testing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBackend, appError } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { AuthModal } from './index.tsx'

const CHECKING = 'Checking that you are not a bot…'
const FAILED = "We couldn't finish the automatic check for bots. Please try again."
const solution = { counter: 7, derivedKey: '0a'.repeat(32) }
const challenge: ProofOfWorkChallenge = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    nonce: '01',
    salt: '02',
    cost: 5000,
    keyLength: 32,
    keyPrefix: '0a',
    keySignature: '03',
    expiresAt: 2_000_000_000,
    data: { purpose: 'registration' },
  },
  signature: '04',
}

/** The workers started so far; each responds when the test makes it. */
let workers: FakeWorker[] = []
class FakeWorker extends EventTarget {
  messages: unknown[] = []
  constructor() {
    super()
    workers.push(this)
  }
  postMessage(message: unknown) {
    this.messages.push(message)
  }
  solve() {
    this.dispatchEvent(new MessageEvent('message', { data: solution }))
  }
  fail() {
    this.dispatchEvent(new Event('error'))
  }
  terminate() {
    workers = workers.filter((worker) => worker !== this)
  }
}

beforeEach(() => vi.stubGlobal('Worker', FakeWorker))
afterEach(() => {
  workers = []
})

const proofRequired = (code = 'PROOF_OF_WORK_REQUIRED') =>
  appError(code, 'This call needs a proof of work.', { proofOfWork: 'registration' })

/** Signs up at a server that demands a proof for this many requests; resolves when the worker has started. */
async function signUp(errors: Error[]) {
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'auth.proofOfWork': () => ({ challenge }),
    'auth.register': ({ email }) => {
      const error = errors.shift()
      if (error) throw error
      return { requiresOTP: true as const, email, name: 'Sara', expirationMinutes: 5, registrationId: 'id' }
    },
  })
  renderWithProviders(<AuthModal mode="register" onClose={() => {}} />)
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
  await userEvent.type(screen.getByLabelText('Full Name'), 'Sara El Amrani')
  await userEvent.type(screen.getByLabelText('Email'), 'sara@example.ma')
  await userEvent.type(screen.getByLabelText('Password'), 'Zellige2026')
  await userEvent.type(screen.getByLabelText('Confirm Password'), 'Zellige2026')
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  await waitFor(() => expect(workers.length).toBeGreaterThan(0))
  return { ...backend, registrations: () => backend.requests.filter(({ path }) => path === 'auth.register') }
}

describe('a registration that needs a proof of work', () => {
  it('is sent again with the proof and the same key, and shows what it does meanwhile', async () => {
    const { registrations, inputsOf } = await signUp([proofRequired()])
    // An `<output>` has the role status.
    expect((await screen.findByText(CHECKING)).tagName).toBe('OUTPUT')
    expect(screen.getByRole('button', { name: 'Creating your account...' }).getAttribute('aria-busy')).toBe('true')
    expect(inputsOf('auth.proofOfWork')).toEqual([{ purpose: 'registration' }])
    workers[0]?.solve()
    expect(await screen.findByRole('dialog', { name: 'Check Your Email' })).toBeDefined()
    expect(screen.queryByText(CHECKING)).toBeNull()
    const [first, second] = registrations().map(({ headers }) => headers)
    expect(first?.get('x-proof-of-work')).toBeNull()
    expect(JSON.parse(atob(second?.get('x-proof-of-work') ?? ''))).toEqual({ challenge, solution })
    expect(first?.get('idempotency-key')).toBeTruthy()
    expect(second?.get('idempotency-key')).toBe(first?.get('idempotency-key'))
    expect(workers).toEqual([])
  })

  it('shows when the check fails, and can be tried again', async () => {
    const { registrations } = await signUp([proofRequired(), proofRequired()])
    workers[0]?.fail()
    await waitFor(() => expect(screen.getAllByText(FAILED).length).toBeGreaterThan(1))
    expect(screen.queryByText(CHECKING)).toBeNull()
    expect(registrations()).toHaveLength(1)
    await userEvent.click(await screen.findByRole('button', { name: 'Create Account' }))
    await waitFor(() => expect(workers.length).toBeGreaterThan(0))
    workers[0]?.solve()
    expect(await screen.findByRole('dialog', { name: 'Check Your Email' })).toBeDefined()
  })

  it('gives up when the proof is rejected', async () => {
    const { registrations } = await signUp([proofRequired(), proofRequired('PROOF_OF_WORK_INVALID')])
    workers[0]?.solve()
    await waitFor(() => expect(screen.getAllByText(FAILED).length).toBeGreaterThan(1))
    expect(registrations()).toHaveLength(2)
  })
})
