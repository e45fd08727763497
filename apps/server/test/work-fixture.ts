import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { contract, type Input } from '@community/contract'
import { type Db, onlyRow } from '@community/db'
import { challenges, submissions, uploads } from '@community/db/schema'
import { uniqueName, validInput } from '@community/testing'
import { insertChallenge, rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import pino from 'pino'
import { deactivateChallenge, updateChallenge } from '../src/admin/change-challenges.ts'
import { deleteChallenge } from '../src/admin/delete-challenge.ts'
import { createChallenge } from '../src/admin/create-challenge.ts'
import { listChallenges as listAllChallenges } from '../src/admin/list-challenges.ts'
import { challengesUseCases } from '../src/challenges/router.ts'
import { createSecret } from '../src/auth/secret.ts'
import type { Caller, Deps } from '../src/context.ts'
import { createFileStorage } from '../src/integrations/storage-files.ts'
import type { Storage } from '../src/integrations/storage.ts'
import { listTeamSubmissions } from '../src/submissions/list-team-submissions.ts'
import { submissionsUseCases } from '../src/submissions/router.ts'
import { createFileUrl, createKey } from '../src/uploads/file-url.ts'
import { titledSearchText } from '../src/search/search-text.ts'
import { APP_URL, createProcedureBuilder, openFixture, type Fixture } from './fixture.ts'

const secret = createSecret(randomBytes(32))

// Cast, because these use cases need only the database, storage, APP_URL, secret and log.
export const createWorkDeps = (db: Db, storage: Storage): Deps =>
  ({
    db,
    storage,
    secret,
    config: { appUrl: APP_URL, corsOrigins: [] },
    log: pino({ level: 'silent' }),
  }) as unknown as Deps

/** The use cases of challenges and submissions, called as a user; null for a visitor. */
function createWorkCaller(db: Db, user: Caller | null, deps: Deps) {
  const call = createProcedureBuilder(db, user, deps)
  const { challenges: c, submissions: s } = contract
  return {
    challenges: call(c.list, challengesUseCases.list),
    open: call(c.active, challengesUseCases.active),
    byCategory: call(c.byCategory, challengesUseCases.byCategory),
    byDifficulty: call(c.byDifficulty, challengesUseCases.byDifficulty),
    challenge: call(c.get, challengesUseCases.get),
    apply: call(c.applyTo, challengesUseCases.applyTo),
    applications: call(c.myTeamApplications, challengesUseCases.myTeamApplications),
    submissions: call(s.list, submissionsUseCases.list),
    pending: call(s.pending, submissionsUseCases.pending),
    works: call(s.approved, submissionsUseCases.approved),
    submission: call(s.get, submissionsUseCases.get),
    evaluate: call(s.evaluate, submissionsUseCases.evaluate),
    resubmit: call(s.setStatus, submissionsUseCases.setStatus),
    reset: call(s.resetEvaluation, submissionsUseCases.resetEvaluation),
    remove: call(s.remove, submissionsUseCases.remove),
    stats: call(s.stats, submissionsUseCases.stats),
    best: call(s.leaderboard, submissionsUseCases.leaderboard),
    submit: call(c.submit, challengesUseCases.submit),
    ofChallenge: call(c.submissions, challengesUseCases.submissions),
    deleteChallenge: call(contract.admin.deleteChallenge, deleteChallenge),
    updateChallenge: call(contract.admin.updateChallenge, updateChallenge),
    deactivateChallenge: call(contract.admin.deactivateChallenge, deactivateChallenge),
    ofTeam: call(contract.teams.submissions, listTeamSubmissions),
    createChallenge: call(contract.admin.createChallenge, createChallenge),
    allChallenges: call(contract.admin.listChallenges, listAllChallenges),
  }
}

export interface FixtureTeam {
  id: string
  name: string
  chef: Caller
  members: Caller[]
}
type NewChallenge = Partial<typeof challenges.$inferInsert>

export interface WorkFixture extends Omit<Fixture, 'as'> {
  deps: Deps
  storage: Storage
  /** An administrator in none of the teams. */
  judge: Caller
  asTeamCaller: Fixture['as']
  as(user: Caller | null, on?: Db): ReturnType<typeof createWorkCaller>
  /** Creates a team with a chef and the given members. */
  createTeam(options?: { name?: string; members?: Caller[] }): Promise<FixtureTeam>
  /** Inserts a challenge, by default open for a day. */
  createChallenge(overrides?: NewChallenge): Promise<{ id: string; title: string; points: number }>
  patchChallenge(id: string, overrides: NewChallenge): Promise<void>
  /** Applies with a link and returns the submission's id. */
  applyWithLink(
    team: FixtureTeam,
    challengeId: string,
    overrides?: Partial<Input<typeof contract.challenges.applyTo>>,
  ): Promise<string>
  /** Stores an unused upload of the user. */
  createUpload(
    user: Caller,
    originalName?: string,
    content?: { bytes: Uint8Array; mimeType: string },
  ): Promise<{ id: string; key: string; secureUrl: string }>
  getSubmission(submissionId: string): Promise<typeof submissions.$inferSelect>
}

export const LINK_WORK = { type: 'link', content: 'https://github.com/atlas-lions/app' } as const
export const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000)

/** A fixture for submissions: storage, an administrator who judges, challenges in every state. */
export async function openWorkFixture(): Promise<WorkFixture> {
  const fixture = await openFixture()
  const folder = await mkdtemp(path.join(tmpdir(), 'community-work-'))
  const storage = createFileStorage(folder)
  const deps = createWorkDeps(fixture.db, storage)
  const judge = await fixture.createAdmin()
  const role = onlyRow(await rolesOf(fixture.db))
  const as: WorkFixture['as'] = (user, on = fixture.db) => createWorkCaller(on, user, createWorkDeps(on, storage))

  return {
    ...fixture,
    deps,
    storage,
    judge,
    asTeamCaller: fixture.as,
    as,
    createTeam: async ({ name = uniqueName(), members = [] } = {}) => {
      const chef = await fixture.createMember()
      const { data } = await fixture
        .as(chef)
        .create(validInput('teams.create', { rolesNeeded: [role], name, maxMembers: 11 }))
      for (const member of members) await fixture.as(member).join(validInput('teams.join', { id: data.team.id, role }))
      return { id: data.team.id, name, chef, members }
    },
    createChallenge: async (overrides = {}) => {
      const title = overrides.title ?? uniqueName('Challenge')
      const description = overrides.description ?? 'Build something useful'
      const searchText = titledSearchText(title, description)
      return insertChallenge(fixture.db, { ...overrides, title, description, searchText })
    },
    patchChallenge: async (id, overrides) => {
      await fixture.db.update(challenges).set(overrides).where(eq(challenges.id, id))
    },
    applyWithLink: async (team, id, overrides = {}) => {
      const { data } = await as(team.chef).apply({ id, teamId: team.id, ...LINK_WORK, ...overrides })
      return data.submission.id
    },
    createUpload: async (user, originalName = 'report.pdf', content) => {
      const body = Buffer.from(content?.bytes ?? randomBytes(64))
      const mimeType = content?.mimeType ?? 'application/pdf'
      const file = { key: createKey(), originalName, size: body.length, mimeType }
      await storage.put(file.key, body, { contentType: file.mimeType, size: file.size })
      const rows = await fixture.db
        .insert(uploads)
        .values({ ...file, userId: user.id })
        .returning({ id: uploads.id })
      const row = onlyRow(rows)
      return { id: row.id, key: file.key, secureUrl: createFileUrl(APP_URL, file) }
    },
    getSubmission: async (submissionId) => {
      return onlyRow(await fixture.db.select().from(submissions).where(eq(submissions.id, submissionId)))
    },
    close: async () => {
      await fixture.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
