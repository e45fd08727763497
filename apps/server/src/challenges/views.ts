import { type Challenge, type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import type { Context, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { toPagination } from '../pagination/keyset.ts'
import { runSearch } from '../search/search-limit.ts'
import {
  type ChallengeFilter,
  type ChallengeRow,
  type ChallengeSort,
  findChallenge,
  findChallenges,
  findChallengeSums,
} from './queries.ts'

type ChallengesRoutes = typeof contract.challenges
type Page = Output<ChallengesRoutes['list']>
type ListInput = ParsedInput<ChallengesRoutes['list']> & { isOpen?: boolean | undefined; sort?: ChallengeSort }

/** The API representation of a challenge. */
export const toChallenge = ({ deadline, createdAt, updatedAt, ...row }: ChallengeRow): Challenge => ({
  ...row,
  _id: row.id,
  deadline: deadline.toISOString(),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const canSeeInactive = ({ user }: Context): boolean => user?.role === 'admin'

async function listPage(ctx: Context, input: ListInput): Promise<Page> {
  const filter: ChallengeFilter = {
    seesInactive: canSeeInactive(ctx),
    isOpen: input.isOpen ?? null,
    isActive: input.isActive ?? null,
    category: input.category ?? null,
    difficulty: input.difficulty ?? null,
    minPoints: input.minPoints ?? null,
    maxPoints: input.maxPoints ?? null,
    updatedSince: input.updatedSince ?? null,
  }
  const page = await runSearch(ctx, input.search, (db, search) => findChallenges(db, filter, search, input))
  return { challenges: page.rows.map(toChallenge), pagination: toPagination(input, page) }
}

/** Challenges by filter: open ones by nearest deadline, then closed ones by latest. Administrators also see inactive ones. */
export const listChallenges = (ctx: Context, input: ListInput): Promise<Page> => listPage(ctx, input)

/** Challenges that accept applications now, by nearest deadline. */
export const listOpenChallenges: UseCase<typeof contract.challenges.active> = async (ctx, input) => {
  const [page, sums] = await Promise.all([
    listPage(ctx, { ...input, isOpen: true }),
    findChallengeSums(ctx.db, canSeeInactive(ctx)),
  ])
  return { ...page, sums }
}

export const listByCategory: UseCase<typeof contract.challenges.byCategory> = (ctx, { c, ...input }) =>
  listPage(ctx, { ...input, category: c })

export const listByDifficulty: UseCase<typeof contract.challenges.byDifficulty> = (ctx, { d, ...input }) =>
  listPage(ctx, { ...input, difficulty: d })

/** Throws `challengeMissing` for an inactive challenge unless the caller is an administrator. */
export const getChallenge: UseCase<typeof contract.challenges.get> = async ({ db, user }, { id }) => {
  const row = await findChallenge(db, id)
  if (!row || (!row.isActive && user?.role !== 'admin')) throw new AppError(appErrors.challengeMissing)
  return { challenge: toChallenge(row) }
}
