import { aPagination } from '@community/testing'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aPicturedWork, PICTURE_TEXT } from '../../../test/a-pictured-work.ts'
import { openAdmin, openTab } from '../../../test/admin-steps.tsx'
import { signIn } from '../../../test/sign-in.ts'

vi.setConfig({ testTimeout: 20_000 })

beforeEach(() => {
  signIn({ role: 'admin' })
})
async function openSubmissions(): Promise<void> {
  const list = { submissions: [aPicturedWork()], pagination: aPagination(1) }
  openAdmin({ 'submissions.list': () => list, 'submissions.pending': () => list })
  await openTab('Submissions')
  await screen.findByRole('button', { name: 'Details' })
}

describe('the picture of a submission', () => {
  it('is small in the table, and loaded in the size of its cell', async () => {
    await openSubmissions()
    const picture = screen.getByRole('img', { name: PICTURE_TEXT })
    expect([picture.getAttribute('sizes'), picture.className]).toEqual([
      '2.5rem',
      expect.stringContaining('object-cover'),
    ])
  })

  it('is absent in the table for a user who saves data', async () => {
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData: true } }))
    await openSubmissions()
    expect(screen.queryByRole('img', { name: PICTURE_TEXT })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Show image' })).toBeNull()
  })

  it('is whole in the details and for the judge', async () => {
    await openSubmissions()
    await userEvent.click(screen.getByRole('button', { name: 'Details' }))
    const details = within(await screen.findByRole('dialog', { name: 'Submission details' }))
    expect(details.getByRole('img', { name: PICTURE_TEXT }).className).toContain('object-contain')
    await userEvent.click(details.getByRole('button', { name: 'Evaluate' }))
    const judging = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    expect(judging.getByRole('img', { name: PICTURE_TEXT }).className).toContain('object-contain')
  })
})
