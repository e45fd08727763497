import type { contract, Output, ParsedInput } from '@community/contract'
import type { Context, UseCase } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { runSearch } from '../search/search-limit.ts'
import { type ChallengeFilter, type ChallengeSort, findChallenges, findChallengeSums } from './queries.ts'
import { toChallenge } from './views.ts'

type ListRoute = typeof contract.challenges.list
type ListInput = ParsedInput<ListRoute> & { isOpen?: boolean | undefined; sort?: ChallengeSort }

const canSeeInactive = ({ user }: Context): boolean => user?.role === 'admin'

/** Challenges by filter: open ones by nearest deadline, then closed ones by latest. Administrators also see inactive ones. */
export async function listChallenges(ctx: Context, input: ListInput): Promise<Output<ListRoute>> {
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

/** Challenges that accept applications now, by nearest deadline. */
export const listOpenChallenges: UseCase<typeof contract.challenges.active> = async (ctx, input) => {
  const [page, sums] = await Promise.all([
    listChallenges(ctx, { ...input, isOpen: true }),
    findChallengeSums(ctx.db, canSeeInactive(ctx)),
  ])
  return { ...page, sums }
}

export const listByCategory: UseCase<typeof contract.challenges.byCategory> = (ctx, { c, ...input }) =>
  listChallenges(ctx, { ...input, category: c })

export const listByDifficulty: UseCase<typeof contract.challenges.byDifficulty> = (ctx, { d, ...input }) =>
  listChallenges(ctx, { ...input, difficulty: d })
