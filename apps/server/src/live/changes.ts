import type { LiveTopic } from '@community/contract'
import { type Db, onlyRow } from '@community/db'
import { createLruCache } from '../http/lru-cache.ts'
import { selectMembers, selectSubmissionsSince, selectTeamsSince, selectTotals } from './queries.ts'

/** What has changed since the last `Changes` that were confirmed. */
export interface Changes {
  topics: Set<LiveTopic>
  /** By user: their teams that changed. */
  teamsOf: Map<string, string[]>
  /** Marks them as delivered: until then, the next call returns them again. */
  confirm(): void
}

interface Versioned {
  id: string
  version: string
}

/** Teams whose standing is remembered. */
const STANDINGS_MAX = 20_000

/** Creates a filter that finds the rows whose version was not in the last confirmed result. */
function createVersionFilter() {
  let seen = new Map<string, string>()
  return {
    findFresh: <R extends Versioned>(rows: readonly R[]): R[] =>
      rows.filter(({ id, version }) => seen.get(id) !== version),
    // Each result has all rows since the watermark.
    confirm: (rows: readonly Versioned[]) => void (seen = new Map(rows.map(({ id, version }) => [id, version]))),
  }
}

/**
 * Returns a function that reads what has changed since the last confirmed call; the first call finds nothing. `since`: the watermark of
 * that call, or an earlier one.
 */
export function createChangeReader(db: Db): (since: string, deadline: string | null) => Promise<Changes> {
  const [teamFilter, submissionFilter] = [createVersionFilter(), createVersionFilter()]
  const standings = createLruCache<string>(STANDINGS_MAX)
  let last:
    | {
        challenges: string
        teams: string | null
        submissions: string | null
        works: string | null
        deadline: string | null
      }
    | undefined

  return async (since, deadline) => {
    const [teamRows, submissionRows, totalRows] = await Promise.all([
      selectTeamsSince(db, { time: since }),
      selectSubmissionsSince(db, { time: since }),
      selectTotals(db),
    ])
    const totals = onlyRow(totalRows)
    const teams = teamFilter.findFresh(teamRows)
    const submissions = submissionFilter.findFresh(submissionRows)
    const before = last
    const changes: Changes = {
      topics: new Set(),
      teamsOf: new Map(),
      confirm() {
        teamFilter.confirm(teamRows)
        submissionFilter.confirm(submissionRows)
        for (const { id, standing } of teams) standings.set(id, standing)
        last = { ...totals, deadline }
      },
    }
    if (!before) return changes
    const reranked = teams.filter(({ id, standing }) => standings.get(id) !== standing)
    const isTeamGone = before.teams !== totals.teams
    if (teams.length > 0 || isTeamGone) changes.topics.add('teams')
    // Approved work is public: it may change without the points, such as when the team has a better one for the challenge.
    const hasOtherWorks = before.works !== totals.works || submissions.some(({ status }) => status === 'approved')
    if (reranked.length > 0 || isTeamGone || hasOtherWorks) changes.topics.add('leaderboard')
    if (submissions.length > 0 || before.submissions !== totals.submissions) changes.topics.add('submissions')
    if (before.challenges !== totals.challenges || before.deadline !== deadline) changes.topics.add('challenges')

    const teamIds = [...new Set([...teams.map(({ id }) => id), ...submissions.map(({ teamId }) => teamId)])]
    const members = teamIds.length > 0 ? await selectMembers(db, teamIds) : []
    for (const { userId, teamId } of members)
      changes.teamsOf.set(userId, [...(changes.teamsOf.get(userId) ?? []), teamId])
    return changes
  }
}
