import { randomUUID } from 'node:crypto'
import { contract, EXPERIENCES, LANGUAGES, type RoleRef } from '@community/contract'
import { inTransaction } from '@community/db'
import { challenges, pointsLedger, roles, teamMembers, teams, users } from '@community/db/schema'
import { asc, eq, max, sql } from 'drizzle-orm'
import { createChallenge } from '../admin/create-challenge.ts'
import type { Caller, Deps } from '../context.ts'
import { createTeam } from '../teams/create-team.ts'
import { joinTeam } from '../teams/join-team.ts'
import { accountSearchText } from '../search/search-text.ts'
import { DEMO_PASSWORD } from '../start/published-values.ts'
import { CHALLENGES } from './challenges.ts'
import { CITIES, PEOPLE } from './people.ts'
import { TEAMS } from './teams.ts'
import { contextFor, DAY_MS, pick } from './seed-context.ts'
import { type SeededTeam, seedSubmissions } from './seed-submissions.ts'

const emailOf = (index: number) => `member${String(index + 1).padStart(2, '0')}@demo.community.local`
const phoneOf = (index: number) => `06${String(10_000_000 + index * 137_911).slice(-8)}`

async function seedPeople(deps: Deps): Promise<Caller[]> {
  const passwordHash = await deps.passwords.hash(DEMO_PASSWORD)
  const rows = PEOPLE.map((name, index) => ({
    name,
    email: emailOf(index),
    passwordHash,
    searchText: accountSearchText(name, emailOf(index)),
    language: /\p{Script=Arabic}/u.test(name) ? ('ar' as const) : pick(LANGUAGES, index),
    phone: phoneOf(index),
    experience: pick(EXPERIENCES, index),
    bio: `${pick(CITIES, index)}.`,
    createdAt: new Date(Date.now() - (120 - index) * DAY_MS),
  }))
  const inserted = await inTransaction(deps.db, (tx) => tx.insert(users).values(rows).returning())
  return inserted.map(({ id, name, email, role }) => ({ id, name, email, role, familyId: randomUUID() }))
}

async function seedTeams(deps: Deps, people: Caller[], teamRoles: RoleRef[]): Promise<SeededTeam[]> {
  const seededTeams: SeededTeam[] = []
  let next = 0
  for (const [index, [name, description, memberCount, maxMembers, roleNames]] of TEAMS.entries()) {
    const rolesNeeded = roleNames.flatMap((role) => teamRoles.filter((candidate) => candidate.name === role))
    const chef = pick(people, next++)
    const form = contract.teams.create.input.parse({
      name,
      description,
      maxMembers: maxMembers,
      experience: pick(EXPERIENCES, index),
      rolesNeeded,
      userInfo: {
        firstName: chef.name,
        email: chef.email,
        phone: phoneOf(index),
        personalExperience: pick(EXPERIENCES, index + 1),
        github: 'https://github.com/community-demo',
        role: rolesNeeded[0],
      },
    })
    const { team } = await createTeam(contextFor(deps, chef), form)
    for (let seat = 1; seat < memberCount; seat++)
      await seedMember(deps, team.id, pick(people, next++), pick(rolesNeeded, seat), seat)
    seededTeams.push({ id: team.id, chef })
  }
  return seededTeams
}

async function seedMember(deps: Deps, id: string, person: Caller, role: RoleRef, index: number): Promise<void> {
  const form = {
    id,
    name: person.name,
    email: person.email,
    phone: phoneOf(index),
    experience: pick(EXPERIENCES, index),
    role,
  }
  await joinTeam(contextFor(deps, person), contract.teams.join.input.parse(form))
}

async function seedChallenges(deps: Deps, admin: Caller): Promise<string[]> {
  const challengeIds: string[] = []
  for (const { daysLeft: _daysLeft, ...challenge } of CHALLENGES) {
    const form = contract.admin.createChallenge.input.parse({
      ...challenge,
      // Open while submissions are created; `setDates` sets the real deadline.
      deadline: new Date(Date.now() + 60 * DAY_MS).toISOString(),
      isActive: true,
      evaluationCriteria: ['It does what it says', 'It is clear', 'It can be kept up'],
      resources: [{ title: 'MDN Web Docs', url: 'https://developer.mozilla.org/', type: 'documentation' }],
      password: DEMO_PASSWORD,
    })
    challengeIds.push((await createChallenge(contextFor(deps, admin), form)).challenge.id)
  }
  return challengeIds
}

/** Sets deadlines and dates as in a community of four months. */
async function setDates(deps: Deps, challengeIds: string[]): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    for (const [index, { daysLeft, isActive }] of CHALLENGES.entries())
      await tx
        .update(challenges)
        .set({
          deadline: new Date(Date.now() + daysLeft * DAY_MS - 3_600_000),
          isActive,
          createdAt: new Date(Date.now() - (70 - index) * DAY_MS),
        })
        .where(eq(challenges.id, pick(challengeIds, index)))
    const lastChange = tx
      .select({ at: max(pointsLedger.createdAt) })
      .from(pointsLedger)
      .where(eq(pointsLedger.teamId, teams.id))
    await tx.update(teams).set({
      createdAt: sql`${teams.createdAt} - make_interval(days => 90)`,
      pointsReachedAt: sql`case when ${teams.points} > 0 then (${lastChange}) end`,
    })
    await tx.update(teamMembers).set({ joinedAt: sql`${teamMembers.joinedAt} - make_interval(days => 60)` })
  })
}

/**
 * Creates thirty teams, twelve challenges, and submissions and files in all states through the use cases. Does nothing if there are
 * teams already.
 */
export async function seedDemo(deps: Deps): Promise<void> {
  const [existing] = await deps.db.select({ id: teams.id }).from(teams).limit(1)
  if (existing) return
  const [admin] = await deps.db
    .select()
    .from(users)
    .where(eq(users.role, 'admin'))
    .orderBy(asc(users.createdAt))
    .limit(1)
  if (!admin) throw new Error('The demo needs the first admin')
  const judge: Caller = { id: admin.id, name: admin.name, email: admin.email, role: 'admin', familyId: randomUUID() }
  const teamRoles = await deps.db.select({ id: roles.id, name: roles.name, emoji: roles.emoji }).from(roles)

  const people = await seedPeople(deps)
  const seededTeams = await seedTeams(deps, people, teamRoles)
  const challengeIds = await seedChallenges(deps, judge)
  await seedSubmissions(deps, seededTeams, challengeIds, judge)
  await setDates(deps, challengeIds)
}
