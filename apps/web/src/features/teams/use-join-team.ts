import type { JoinTeamInput, Team } from '@community/contract'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { settled } from '../../lib/single-flight.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { joinFailure } from './join-failure.ts'

/** What the join form gives; the team's id and the contact are added here. */
export type JoinAnswers = Omit<JoinTeamInput, 'id' | 'contact'>

/** Joins, and says how it went. Full, inactive or gone in the meantime: the server's words. */
export function useJoinTeam(onJoined: () => void) {
  const t = useT()
  const utils = trpc.useUtils()
  const join = trpc.teams.join.useMutation({
    onSuccess: ({ team }) => {
      utils.teams.get.setData({ id: team.id }, { team })
      toast.success(t('Success!'), t('You are now a member of {team}.', { team: team.name }))
      onJoined()
    },
    onError: (error) => {
      const { title, message } = joinFailure(failureOf(error), t)
      toast.error(title, message)
      // Somebody took the seat, or the chef closed the team: show it as it is now.
      void utils.teams.invalidate()
    },
  })
  return {
    isPending: join.isPending,
    error: join.error,
    reset: join.reset,
    join: (team: Team, answers: JoinAnswers, onRefused: (error: unknown) => void) =>
      settled(join.mutateAsync({ ...answers, id: team.id, contact: answers.email }, { onError: onRefused })),
  }
}
