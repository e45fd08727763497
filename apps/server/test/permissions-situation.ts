import type { Challenge, Team } from '@community/contract'
import { inTransaction } from '@community/db'
import { PASSWORD, uniqueEmail } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { type CodePurpose, issueCode } from '../src/auth/codes.ts'
import { hashToken } from '../src/auth/session-adapter.ts'
import { expectInvariants } from '@community/testing/database/invariants'
import { type KeptDatabase, keepDatabase } from './permissions-database.ts'
import type { CallerName } from './permissions.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { type Answer, openWorld, type Person, type World } from './world.ts'

/** Somebody who may call, with everything that is their own. */
export interface Caller extends Person {
  /** Another sign-in of theirs than the one they call with. */
  otherSession: string
  /** Codes that were mailed to them; a banned person's ended with the ban. */
  otp: { signIn: string; reset: string; external: string }
}

export interface TeamOfTwo {
  id: string
  name: string
  /** A member who is not the chef, and none of the callers. */
  buddy: Person
  /** What the team handed in, of each kind. */
  pending: string
  approved: string
  rejected: string
}

export interface Situation {
  world: World
  database: KeptDatabase
  people: Record<CallerName, Caller>
  teams: { A: TeamOfTwo; B: TeamOfTwo }
  /** An administrator who is none of the callers. */
  root: Person
  /** Open; neither team has applied. */
  challenge: Challenge
  /** Both teams' work on it was approved. */
  judged: Challenge
  warnings: { own: string; foreign: string }
  entry: string
  mail: string
  /** Two registrations that wait for their code. */
  newcomers: { email: string; otp: string }[]
  roleId: string
  close(): Promise<void>
}

const must = async (answer: Promise<Answer>): Promise<Answer['body']['data']> => {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body.data
}

const link = { type: 'link', content: 'https://github.com/atlas-lions/app' } as const

/** One submission of each kind, handed in by `by`: on three challenges, as a team may have one of each. */
async function handIn(world: World, root: Person, on: Challenge[], team: Team, by: Person) {
  const apply = async ({ id }: Challenge, applicationNotes: string): Promise<string> =>
    (await must(world.rest(by)(`POST /challenges/${id}/apply`, { teamId: team.id, ...link, applicationNotes })))
      .submission.id
  const judge = (id: string, verdict: object) => must(world.rest(root)(`POST /submissions/${id}/evaluate`, verdict))
  const [first, second, third] = on as [Challenge, Challenge, Challenge]
  const work = {
    pending: await apply(first, `Notes of ${team.name}, pending`),
    approved: await apply(second, `Notes of ${team.name}, approved`),
    rejected: await apply(third, `Notes of ${team.name}, rejected`),
  }
  await judge(work.approved, { status: 'approved', score: 80, feedback: `Praise for ${team.name}` })
  await judge(work.rejected, { status: 'rejected', feedback: `Blame for ${team.name}` })
  return work
}

/** Codes as they are mailed, old enough to be asked for anew. */
async function codesFor(world: World, person: Person): Promise<Caller['otp']> {
  const issue = (purpose: CodePurpose, over: object = {}) =>
    inTransaction(world.db, (tx) =>
      issueCode(tx, world.deps, { purpose, email: person.email, userId: person.id, ...over }),
    )
  const identity = { issuer: 'https://id.example', subject: person.id, name: person.name }
  return {
    signIn: (await issue('sign-in', { isNewSignIn: true })) ?? '',
    reset: (await issue('reset')) ?? '',
    external: (await issue('external', { binding: { hash: hashToken(browserOf(person)), identity } })) ?? '',
  }
}
/** What the cookie of somebody's browser holds, that began an external sign-in. */
export const browserOf = ({ id }: Person): string => `browser-of-${id}`

async function signInAgain(world: World, { id, email }: Person): Promise<string> {
  await must(world.rest()('POST /auth/login', { email, password: PASSWORD }))
  const families = await world.sql<{ id: string }[]>`
    select id from refresh_families where user_id = ${id} order by created_at desc, id limit 1`
  return families[0]?.id ?? ''
}

/** A dead mail: one that was really queued and then given up. */
async function deadMail(world: World): Promise<string> {
  const [mail] = await world.sql<{ id: string }[]>`
    update jobs set status = 'dead', last_error = 'refused', expires_at = null, lease_until = null
    where id = (select id from jobs where status = 'pending' order by created_at desc limit 1) returning id`
  await world.sql`delete from jobs where status <> 'dead'`
  if (!mail) throw new Error('no mail was ever queued')
  return mail.id
}

/**
 * One lawful situation in which every call of the contract can be made, by everybody, upon their own and upon foreign things. It
 * is kept: what a call changes in it can be taken back.
 */
export async function openSituation(): Promise<Situation> {
  const world = await openWorld({}, { passwords: cheapPasswords })
  const root = await world.admin()
  const password = PASSWORD
  const make = (name: string) => world.member(name)
  const [visitor, stranger, member, otherChef, chef, formerChef, banned, buddyA, buddyB] = await Promise.all([
    make('Nadia Visitor'),
    make('Samir Stranger'),
    make('Mina Member'),
    make('Omar Otherchef'),
    make('Chafik Chef'),
    make('Fatima Formerchef'),
    make('Badr Banned'),
    make('Bouchra Buddy'),
    make('Brahim Buddy'),
  ])
  const promoted = await make('Aicha Administrator')
  const look = { maxMembers: 11, description: 'What only signed-in people read of it' }
  const [a, b] = [await world.team(formerChef, look), await world.team(otherChef, look)]
  for (const who of [chef, member, buddyA, banned, promoted]) await must(world.join(a, who))
  await must(world.join(b, buddyB))

  const on: Challenge[] = []
  for (let count = 0; count < 3; count++) on.push(await world.challenge(root))
  const works = { A: await handIn(world, root, on, a, formerChef), B: await handIn(world, root, on, b, otherChef) }
  await must(world.rest(formerChef)(`POST /teams/${a.id}/transfer-ownership`, { newOwnerId: chef.id }))
  await must(world.rest(formerChef)(`POST /teams/${a.id}/leave`))
  await must(world.rest(promoted)(`POST /teams/${a.id}/leave`))

  const warn = async (who: Person): Promise<string> =>
    (
      await must(
        world.rest(root)('POST /admin/warnings', { userId: who.id, reason: `Warning to ${who.name}`, password }),
      )
    ).warning.id
  const warnings = { own: await warn(promoted), foreign: await warn(buddyB) }
  const entry = await must(world.rest(root)('POST /admin/blacklist', { email: uniqueEmail(), reason: 'Sold links' }))
  await must(world.rest(root)('POST /admin/ban', { userId: banned.id, reason: 'Spam in every team', password }))
  await must(world.rest(root)(`PUT /admin/users/${promoted.id}/role`, { role: 'admin', password }))
  const signedIn = await must(world.rest()('POST /auth/login', { email: promoted.email, password }))
  const admin: Person = { ...promoted, token: signedIn.token, refreshToken: signedIn.refreshToken }
  await world.stopMails()
  await must(world.rest()('POST /auth/forgot-password', { email: chef.email }))
  const mail = await deadMail(world)
  await world.sql`delete from codes`

  const callerOf = async (person: Person): Promise<Caller> => ({
    ...person,
    otherSession: await signInAgain(world, person),
    otp: await codesFor(world, person),
  })
  const bannedFamily = await world.sql<{ id: string }[]>`select id from refresh_families where user_id = ${banned.id}`
  const administrator = await callerOf(admin)
  const people: Situation['people'] = {
    visitor: await callerOf(visitor),
    stranger: await callerOf(stranger),
    member: await callerOf(member),
    otherChef: await callerOf(otherChef),
    chef: await callerOf(chef),
    formerChef: await callerOf(formerChef),
    banned: {
      ...banned,
      otherSession: bannedFamily[0]?.id ?? '',
      otp: { signIn: '123456', reset: '123456', external: '123456' },
    },
    admin: administrator,
    adminNoPassword: administrator,
  }
  const newcomers: Situation['newcomers'] = []
  for (const email of [uniqueEmail(), uniqueEmail()]) {
    const otp = await inTransaction(world.db, (tx) => issueCode(tx, world.deps, { purpose: 'registration', email }))
    newcomers.push({ email, otp: otp ?? '' })
  }
  // Mailed five minutes ago, and alive as long as this situation is.
  await world.sql`update codes set sent_at = sent_at - interval '5 minutes', expires_at = now() + interval '1 hour'`
  const challenge = await world.challenge(root)
  await world.sql`delete from jobs where status <> 'dead'`
  await world.sql`delete from rate_limits`
  await expectInvariants(world.db)

  const [role] = await rolesOf(world.db)
  const teamOf = (team: Team, buddy: Person, work: (typeof works)['A']): TeamOfTwo => ({ ...team, buddy, ...work })
  return {
    world,
    database: await keepDatabase(world),
    people,
    teams: { A: teamOf(a, buddyA, works.A), B: teamOf(b, buddyB, works.B) },
    root,
    challenge,
    judged: on[1] as Challenge,
    warnings,
    entry: entry.entry.id,
    mail,
    newcomers,
    roleId: role?.id ?? '',
    close: () => world.close(),
  }
}
