import { aChallenge, aDashboard, aMember, aPagination, aSubmission, aTeam, inDays } from '@community/testing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Submission, Team } from '@community/contract'
import { describe, expect, it } from 'vitest'
import { fakeBackend } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { Reminders } from './reminders.tsx'

interface Setup {
  teams: (Team & { applied?: Submission['status'] })[]
  challenge?: ReturnType<typeof aChallenge>
  isVisitor?: boolean
}

/** Shows the reminders of a challenge to a member of the teams. */
function open({ teams, challenge = aChallenge(1), isVisitor = false }: Setup) {
  if (!isVisitor) signIn()
  const applications = teams.flatMap(({ id, name, applied }) =>
    applied === undefined
      ? []
      : aSubmission(1, {
          status: applied,
          challengeId: { id: challenge.id, _id: challenge.id, title: challenge.title, points: challenge.points },
          teamId: { id, _id: id, name },
        }),
  )
  let teamIds: string[] = []
  const backend = fakeBackend({
    'users.dashboard': () => aDashboard({ teams }),
    'challenges.myTeamApplications': () => ({ applications, pagination: aPagination(applications.length) }),
    'challenges.reminders': () => ({ teamIds }),
    'challenges.remind': ({ teamId }) => {
      teamIds = [...teamIds, teamId]
      return {}
    },
    'challenges.stopReminding': ({ teamId }) => {
      teamIds = teamIds.filter((id) => id !== teamId)
      return {}
    },
  })
  renderWithProviders(<Reminders challenge={challenge} now={new Date(inDays(0))} />)
  return backend
}

const team = (n: number, name: string, overrides: Partial<Setup['teams'][number]> = {}) => ({
  ...aTeam(n, name, { members: [aMember(1)] }),
  ...overrides,
})
const buttonNames = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

describe('reminders of a deadline', () => {
  it('are switched on and off for the only team', async () => {
    const lions = team(1, 'Atlas Lions')
    const { inputsOf } = open({ teams: [lions] })
    const button = await screen.findByRole('button', { name: 'Remind me' })
    expect(button.getAttribute('aria-pressed')).toBe('false')
    await userEvent.click(button)
    await waitFor(() => expect(button.getAttribute('aria-pressed')).toBe('true'))
    await userEvent.click(button)
    await waitFor(() => expect(button.getAttribute('aria-pressed')).toBe('false'))
    const input = { id: aChallenge(1).id, teamId: lions.id }
    expect([inputsOf('challenges.remind'), inputsOf('challenges.stopReminding')]).toEqual([[input], [input]])
  })

  it('are chosen for each of several teams that have not applied', async () => {
    const { inputsOf } = open({
      teams: [
        team(1, 'Atlas Lions'),
        team(2, 'Rif Makers'),
        team(3, 'Code Fassi', { applied: 'pending' }),
        team(4, 'Oudaya', { applied: 'rejected' }),
        team(5, 'Sleepers', { isActive: false }),
      ],
    })
    const makers = await screen.findByRole('button', { name: 'Remind Rif Makers' })
    expect(buttonNames()).toEqual(['Remind Atlas Lions', 'Remind Rif Makers'])
    await userEvent.click(makers)
    await waitFor(() => expect(inputsOf('challenges.remind')).toMatchObject([{ teamId: team(2, '').id }]))
    await waitFor(() => expect(makers.getAttribute('aria-pressed')).toBe('true'))
    expect(screen.getByRole('button', { name: 'Remind Atlas Lions' }).getAttribute('aria-pressed')).toBe('false')
  })

  it.each([
    ['a team that has applied', { teams: [team(1, 'Atlas Lions', { applied: 'approved' as const })] }],
    ['people without a team', { teams: [] }],
    ['a closed challenge', { teams: [team(1, 'Atlas Lions')], challenge: aChallenge(1, { deadline: inDays(-1) }) }],
  ])('are not offered for %s', async (_name, setup) => {
    const { inputsOf } = open(setup)
    await waitFor(() => expect(inputsOf('challenges.myTeamApplications')).toHaveLength(1))
    await waitFor(() => expect(inputsOf('users.dashboard')).toHaveLength(1))
    expect(buttonNames()).toEqual([])
    expect(inputsOf('challenges.reminders')).toEqual([])
  })

  it('are not offered to visitors', () => {
    open({ teams: [], isVisitor: true })
    expect(buttonNames()).toEqual([])
  })
})
