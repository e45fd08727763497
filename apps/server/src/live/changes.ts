import type { LiveTopic } from '@community/contract'
import type { Db } from '@community/db'
import { createLruCache } from '../http/lru-cache.ts'
import { selectMembers, selectSubmissionsSince, selectTeamsSince, selectTotals } from './queries.ts'

/** Changes since the last poll. */
export interface Changes {
  topics: Set<LiveTopic>
  /** By user: their teams that changed. */
  teamsOf: Map<string, string[]>
}

interface Versioned {
  id: string
  version: string
}

/** Teams whose standing is remembered. */
const STANDINGS_MAX = 20_000

/** Creates a filter that keeps the rows whose version was not in the previous result. */
function createVersionFilter() {
  let seen = new Map<string, string>()
  return <R extends Versioned>(rows: readonly R[]): R[] => {
    const fresh = rows.filter(({ id, version }) => seen.get(id) !== version)
    // Each result has all rows since the watermark.
    seen = new Map(rows.map(({ id, version }) => [id, version]))
    return fresh
  }
}

/** Returns a function that reads what has changed since its last call; the first call finds nothing. */
export function createChangeReader(db: Db): (since: string, deadline: string | null) => Promise<Changes> {
  const [newTeams, newSubmissions] = [createVersionFilter(), createVersionFilter()]
  const standings = createLruCache<string>(STANDINGS_MAX)
  let last:
    | { challenges: string; teams: string | null; submissions: string | null; deadline: string | null }
    | undefined

  return async (since, deadline) => {
    const [teamRows, submissionRows, [totals]] = await Promise.all([
      selectTeamsSince(db, { time: since }),
      selectSubmissionsSince(db, { time: since }),
      selectTotals(db),
    ])
    if (!totals) throw new Error('the totals have one row')
    const [teams, submissions] = [newTeams(teamRows), newSubmissions(submissionRows)]
    const reranked = teams.filter(({ id, standing }) => {
      const isNew = standings.get(id) !== standing
      standings.set(id, standing)
      return isNew
    })
    const before = last
    last = { ...totals, deadline }
    const changes: Changes = { topics: new Set(), teamsOf: new Map() }
    if (!before) return changes
    const isTeamGone = before.teams !== totals.teams
    if (teams.length > 0 || isTeamGone) changes.topics.add('teams')
    if (reranked.length > 0 || isTeamGone) changes.topics.add('leaderboard')
    if (submissions.length > 0 || before.submissions !== totals.submissions) changes.topics.add('submissions')
    if (before.challenges !== totals.challenges || before.deadline !== deadline) changes.topics.add('challenges')

    const teamIds = [...new Set([...teams.map(({ id }) => id), ...submissions.map(({ teamId }) => teamId)])]
    const members = teamIds.length > 0 ? await selectMembers(db, teamIds) : []
    for (const { userId, teamId } of members)
      changes.teamsOf.set(userId, [...(changes.teamsOf.get(userId) ?? []), teamId])
    return changes
  }
}
