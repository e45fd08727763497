import { type Challenge, type contract, appErrors, type Output, type Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { paginationOf } from '../pagination/keyset.ts'
import { searching } from '../search/search-limit.ts'
import {
  type ChallengeFilter,
  type ChallengeRow,
  type ChallengeSort,
  findChallenge,
  findChallenges,
  findChallengeSums,
} from './queries.ts'

type Challenges = typeof contract.challenges
type Page = Output<Challenges['list']>
type Wanted = Parsed<Challenges['list']> & { onlyOpen?: boolean; sort?: ChallengeSort }

/** The API representation of a challenge. */
export const challengeOf = ({ deadline, createdAt, ...row }: ChallengeRow): Challenge => ({
  ...row,
  _id: row.id,
  deadline: deadline.toISOString(),
  createdAt: createdAt.toISOString(),
})

const seesInactive = ({ user }: VisitorContext): boolean => user?.role === 'admin'

async function pageOf(ctx: VisitorContext, wanted: Wanted): Promise<Page> {
  const filter: ChallengeFilter = {
    seesInactive: seesInactive(ctx),
    onlyOpen: wanted.onlyOpen ?? false,
    isActive: wanted.isActive ?? null,
    category: wanted.category ?? null,
    difficulty: wanted.difficulty ?? null,
    minPoints: wanted.minPoints ?? null,
    maxPoints: wanted.maxPoints ?? null,
  }
  const page = await searching(ctx, wanted.search, (db, search) => findChallenges(db, filter, search, wanted))
  return { challenges: page.rows.map(challengeOf), pagination: paginationOf(wanted, page) }
}

/** Challenges by filter: open ones by nearest deadline, then closed ones by latest. Administrators also see inactive ones. */
export const listChallenges = (ctx: VisitorContext, input: Omit<Wanted, 'onlyOpen'>): Promise<Page> =>
  pageOf(ctx, input)

/** Challenges that accept applications now, by nearest deadline. */
export async function listOpenChallenges(
  ctx: VisitorContext,
  input: Parsed<Challenges['active']>,
): Promise<Output<Challenges['active']>> {
  const [page, sums] = await Promise.all([
    pageOf(ctx, { ...input, onlyOpen: true }),
    findChallengeSums(ctx.db, seesInactive(ctx)),
  ])
  return { ...page, sums }
}

export const listByCategory = (ctx: VisitorContext, { c, ...input }: Parsed<Challenges['byCategory']>): Promise<Page> =>
  pageOf(ctx, { ...input, category: c })

export const listByDifficulty = (
  ctx: VisitorContext,
  { d, ...input }: Parsed<Challenges['byDifficulty']>,
): Promise<Page> => pageOf(ctx, { ...input, difficulty: d })

/** Throws `challengeMissing` for an inactive challenge unless the caller is an administrator. */
export async function getChallenge(
  { db, user }: VisitorContext,
  { id }: Parsed<Challenges['get']>,
): Promise<Output<Challenges['get']>> {
  const row = await findChallenge(db, id)
  if (!row || (!row.isActive && user?.role !== 'admin')) throw new AppError(appErrors.challengeMissing)
  return { challenge: challengeOf(row) }
}
