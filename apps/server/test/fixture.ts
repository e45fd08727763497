import { randomBytes } from 'node:crypto'
import { contract, type Input, type Output, type Route } from '@community/contract'
import { type Connection, type ConnectOptions, connect, type Db } from '@community/db'
import { createTestDatabase } from '@community/testing/database'
import { type Clock, clockOf } from '@community/testing/database/clock'
import { insertUser } from '@community/testing/database/rows'
import { getSettings } from '../src/admin/get-settings.ts'
import { setTeamCreation } from '../src/admin/set-team-creation.ts'
import { createSecret } from '../src/auth/secret.ts'
import type { AuthenticatedContext, Caller, CallerContext, Context, Deps, UseCase } from '../src/context.ts'
import { toFailure } from '../src/http/failure.ts'
import { listRoles } from '../src/roles/list-roles.ts'
import { getPublicSettings } from '../src/system/get-public-settings.ts'
import { createTeam } from '../src/teams/create-team.ts'
import { deleteTeam } from '../src/teams/delete-team.ts'
import { getLeaderboard } from '../src/teams/get-leaderboard.ts'
import { getTeam } from '../src/teams/get-team.ts'
import { joinTeam } from '../src/teams/join-team.ts'
import { leaveTeam } from '../src/teams/leave-team.ts'
import { listTeams } from '../src/teams/list-teams.ts'
import { listUserTeams } from '../src/teams/list-user-teams.ts'
import { removeTeamMember } from '../src/teams/remove-team-member.ts'
import { transferOwnership } from '../src/teams/transfer-ownership.ts'
import { updateTeam } from '../src/teams/update-team.ts'
import { testClientInfo } from './client-info.ts'

const randomWord = () => randomBytes(5).toString('hex')

export const LINKS = {
  chatGroup: 'https://chat.example/',
  chatServer: 'https://talk.example/',
  supportEmail: 'help@example.ma',
  social: ['https://github.com/community'],
}

export const APP_URL = 'http://localhost:3000'
const secret = createSecret(randomBytes(32))

// Cast, because these use cases need no other dependencies.
const createDeps = (db: Db) =>
  ({
    db,
    secret,
    identityProvider: null,
    config: { appName: 'Community', appUrl: APP_URL, links: LINKS },
  }) as unknown as Deps

function contextOf(db: Db, user: Caller | null, deps: Deps): Context {
  return { deps, db, user, tokenError: null, request: testClientInfo() }
}

/** Runs use cases like a transport does: parses input and output, and returns the message. */
export function createProcedureBuilder(db: Db, user: Caller | null, deps: Deps) {
  return <R extends Route>(route: R, useCase: UseCase<R>) =>
    async (input: Input<R>): Promise<{ data: Output<R>; message: string }> => {
      const ctx = contextOf(db, user, deps)
      const parsed = route.input ? route.input.parse(input) : undefined
      const data = await useCase(ctx as CallerContext<R>, parsed as Parameters<UseCase<R>>[1])
      return { data: route.output.parse(data) as Output<R>, message: ctx.message ?? route.successMessage }
    }
}

/** The use cases of teams, called as a user; null for a visitor. */
export function createTeamCaller(db: Db, user: Caller | null, deps: Deps = createDeps(db)) {
  const call = createProcedureBuilder(db, user, deps)
  return {
    list: call(contract.teams.list, listTeams),
    leaderboard: call(contract.teams.leaderboard, getLeaderboard),
    get: call(contract.teams.get, getTeam),
    create: call(contract.teams.create, createTeam),
    join: call(contract.teams.join, joinTeam),
    leave: call(contract.teams.leave, leaveTeam),
    update: call(contract.teams.update, updateTeam),
    remove: call(contract.teams.remove, deleteTeam),
    removeMember: call(contract.teams.removeMember, removeTeamMember),
    transfer: call(contract.teams.transferOwnership, transferOwnership),
    teamsOf: call(contract.users.teams, listUserTeams),
    roles: call(contract.roles.list, listRoles),
    publicSettings: call(contract.system.settings, getPublicSettings),
    settings: call(contract.admin.settings, getSettings),
    setTeamCreation: call(contract.admin.setTeamCreation, setTeamCreation),
  }
}

export interface Fixture {
  db: Db
  sql: Connection['sql']
  clock: Clock
  url: string
  createMember: (name?: string) => Promise<Caller>
  createAdmin: () => Promise<Caller>
  /** The use cases called as a user or a visitor; `on` another pool if given. */
  as: (user: Caller | null, on?: Db) => ReturnType<typeof createTeamCaller>
  contextOf(user: Caller): AuthenticatedContext
  /** Another pool on the same database, like that of a second process. */
  openPool(options?: ConnectOptions): Connection
  /** The same without the tests' pooler, to observe the statements of a session. */
  openDirectPool(options?: ConnectOptions): Connection
  close(): Promise<void>
}

/** A database with factories for users who call use cases, without a transport. */
export async function openFixture(): Promise<Fixture> {
  const database = await createTestDatabase()
  const pools: Connection[] = []
  const track = (pool: Connection) => {
    pools.push(pool)
    return pool
  }
  const openPool = (options?: ConnectOptions) => track(database.connect(options))
  const { db, sql } = openPool()
  const createUser = async (role: Caller['role'], name: string): Promise<Caller> => {
    const { id, email } = await insertUser(db, { name, role })
    return { id, name, email, role, familyId: id }
  }
  return {
    db,
    sql,
    clock: clockOf(sql),
    url: database.url,
    createMember: (name = `Member ${randomWord()}`) => createUser('member', name),
    createAdmin: () => createUser('admin', `Admin ${randomWord()}`),
    as: (user, on = db) => createTeamCaller(on, user),
    contextOf: (user) => ({ ...contextOf(db, user, createDeps(db)), user }),
    openPool,
    openDirectPool: (options) => track(connect(database.url, options)),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()))
      await database.drop()
    },
  }
}

/** The error code of a rejected call; throws if it succeeds. */
export async function errorCodeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    return toFailure(error).body.code
  }
  throw new Error('the call was expected to be refused')
}

/** The outcome of each call: 'ok' or an error code. */
export const outcomesOf = (calls: Promise<unknown>[]): Promise<string[]> =>
  Promise.all(
    calls.map((call) =>
      call.then(
        () => 'ok',
        (error: unknown) => toFailure(error).body.code,
      ),
    ),
  )

export const countOf = (outcomes: string[], outcome: string): number =>
  outcomes.filter((item) => item === outcome).length
