import { type contract, appErrors, limits, type Output, type Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { findWorksOfTeams } from '../submissions/queries.ts'
import { submissionOf } from '../submissions/views.ts'
import { findTeamsOfUser } from '../teams/queries.ts'
import { findUser, profileOf } from './views.ts'

type Get = typeof contract.users.get

const WORKS_SHOWN = 20

/** A user with their teams and the teams' approved submissions. The user and administrators see the whole profile. */
export async function getUser({ db, user }: MemberContext, { id }: Parsed<Get>): Promise<Output<Get>> {
  const seesAll = user.id === id || user.role === 'admin'
  const [row, teams] = await Promise.all([
    findUser(db, id),
    findTeamsOfUser(db, id, { id: user.id, seesInactive: seesAll }, limits.PAGE_SIZE.max),
  ])
  if (!row) throw new AppError(appErrors.userMissing)
  const teamIds = teams.map((team) => team.id)
  const works = await findWorksOfTeams(db, teamIds, WORKS_SHOWN, user.id)
  const belongings = {
    teams: teams.map((team) => ({ id: team.id, _id: team.id, name: team.name })),
    works: works.map((work) => submissionOf(work, user)),
  }
  if (seesAll) return { user: { ...profileOf(row), ...belongings } }
  const { name, avatarUrl, createdAt } = row
  return { user: { id, _id: id, name, avatarUrl, createdAt: createdAt.toISOString(), ...belongings } }
}
