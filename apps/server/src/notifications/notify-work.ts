import { EXCERPT_LENGTH_MAX } from '@community/contract'
import type { Tx } from '@community/db'
import { insertNotificationsOfTeams } from './commands.ts'
import { notify } from './notify.ts'

/** A locked submission with its team and challenge. */
interface Work {
  team: { id: string; name: string }
  challenge: { id: string; title: string }
  submission: { id: string }
}

const paramsOf = ({ team, challenge }: Work) => ({
  team: team.name,
  teamId: team.id,
  challenge: challenge.title,
  challengeId: challenge.id,
})
const idsOf = ({ challenge, submission }: Work) => ({ challengeId: challenge.id, submissionId: submission.id })

/** Notifies the team that its work was reset or deleted. */
export const notifyWork = (
  tx: Tx,
  kind: 'submission.reset' | 'submission.deleted',
  work: Work,
  actorId: string,
): Promise<void> => notify(tx, { teamId: work.team.id }, { kind, params: paramsOf(work), ...idsOf(work), actorId })

/** Notifies the teams whose work was deleted with its challenge; `pointsLost` has those that lost points. */
export async function notifyChallengeDeleted(
  tx: Tx,
  challenge: Work['challenge'],
  { teams, pointsLost, actorId }: { teams: Work['team'][]; pointsLost: Map<string, number>; actorId: string },
): Promise<void> {
  const challengeId = challenge.id
  const paramsByTeam = teams.map(({ id: teamId, name: team }) => {
    const points = pointsLost.get(teamId) ?? 0
    return { team, teamId, challenge: challenge.title, challengeId, points }
  })
  await insertNotificationsOfTeams(tx, paramsByTeam, { kind: 'challenge.deleted', challengeId, actorId })
}

/** Shortens a text without splitting a character. */
const excerpt = (text: string): string =>
  text.length <= EXCERPT_LENGTH_MAX ? text : `${text.slice(0, EXCERPT_LENGTH_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

/** Notifies the team of a verdict, with the points or the feedback. */
export function notifyVerdict(
  tx: Tx,
  work: Work,
  {
    status,
    points,
    feedback,
    evaluatedBy: actorId,
  }: {
    status: 'approved' | 'rejected'
    points: number | null
    feedback: string | null
    evaluatedBy: string
  },
): Promise<void> {
  const about = { ...idsOf(work), actorId }
  const params = paramsOf(work)
  return status === 'approved'
    ? notify(
        tx,
        { teamId: work.team.id },
        { ...about, kind: 'submission.approved', params: { ...params, points: points ?? 0 } },
      )
    : notify(
        tx,
        { teamId: work.team.id },
        { ...about, kind: 'submission.rejected', params: { ...params, feedback: feedback && excerpt(feedback) } },
      )
}
