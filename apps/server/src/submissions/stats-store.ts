import type { SubmissionStats } from '@community/contract'
import { type Reader, statement } from '@community/db'
import { submissions } from '@community/db/schema'
import { sql } from 'drizzle-orm'

const ofStatus = (status: 'pending' | 'approved' | 'rejected') =>
  sql<number>`(count(*) filter (where ${submissions.status} = '${sql.raw(status)}'))::int`

const stats = statement('submissions.stats', (db) =>
  db
    .select({
      totalSubmissions: sql<number>`count(*)::int`,
      pendingSubmissions: ofStatus('pending'),
      approvedSubmissions: ofStatus('approved'),
      rejectedSubmissions: ofStatus('rejected'),
      averageScore: sql<number | null>`round(avg(${submissions.score}), 1)::float8`,
    })
    .from(submissions),
)
/** How many submissions there are, by state, and the average score of the approved ones. */
export async function findSubmissionStats(db: Reader): Promise<SubmissionStats> {
  const [row] = await stats(db)
  if (!row) throw new Error('an aggregate returned no row')
  return row
}
