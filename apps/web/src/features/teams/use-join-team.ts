import type { JoinTeamInput, Team } from '@community/contract'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { joinFailure } from './join-failure.ts'
import { AFTER_TEAM_CHANGE } from './after-team-change.ts'

/** The join form's output, to which the team's id and the contact details are added. */
export type JoinAnswers = Omit<JoinTeamInput, 'id' | 'contact'>

interface JoinTarget {
  team: Team
  answers: JoinAnswers
  /** Shows the server's errors at the form's fields. */
  applyToFields: (error: unknown) => boolean
}

/** Joins a team. If it is full, inactive or deleted by now, shows the server's message. */
export function useJoinTeam() {
  const t = useT()
  return useAction(trpcClient.teams.join, {
    input: ({ team, answers }: JoinTarget) => ({ ...answers, id: team.id, contact: answers.email }),
    success: ({ team }) => ({
      title: t('Success!'),
      message: t('You are now a member of {team}.', { team: team.name }),
    }),
    failure: (reason) => joinFailure(reason, t),
    fields: (error: unknown, { applyToFields }: JoinTarget) => applyToFields(error),
    ...AFTER_TEAM_CHANGE,
  })
}
