import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openWorkFixture } from '../../test/work-fixture.ts'
import { deleteChallenge } from '../admin/delete-challenge.ts'
import type { Caller } from '../context.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import { deleteSubmission } from '../submissions/delete-submission.ts'
import { deleteTeam } from '../teams/delete-team.ts'
import { REMOVE_OBJECTS_JOB } from '../uploads/remove-objects.ts'
import { sweepOrphans } from '../uploads/sweep-orphans.ts'
import { deleteUser } from '../admin/delete-user.ts'
import { updateProfile } from '../users/update-profile.ts'
import { removeObjectsHandler } from './remove-objects.ts'
import type { Job } from './queue.ts'
import { startWorker } from './worker.ts'

const fixture = await openWorkFixture()
let team = await fixture.createTeam()
afterEach(() => vi.restoreAllMocks())
afterAll(() => fixture.close())

const password = 'x'
const ctxOf = (user: Caller) => ({
  ...fixture.contextOf(user),
  deps: fixture.deps,
  // Unused: nothing here hashes a password.
  passwords: {} as never,
})
const asJudge = () => ctxOf(fixture.judge)
async function submit() {
  const file = await fixture.createUpload(team.chef)
  const { id: challengeId } = await fixture.createChallenge()
  const id = await fixture.applyWithLink(team, challengeId, { type: 'upload', content: file.secureUrl })
  return { file, challengeId, id }
}

/** Creates a file; returns it, and what deletes its row. */
const DELETIONS: Record<string, () => Promise<{ file: { key: string }; remove: () => Promise<unknown> }>> = {
  'a submission': async () => {
    const { file, id } = await submit()
    return { file, remove: () => deleteSubmission(asJudge(), { id, password }) }
  },
  'a challenge': async () => {
    const { file, challengeId: id } = await submit()
    return { file, remove: () => deleteChallenge(asJudge(), { id, password }) }
  },
  'a team': async () => {
    team = await fixture.createTeam()
    const { file } = await submit()
    return { file, remove: () => deleteTeam(ctxOf(team.chef), { id: team.id }) }
  },
  'an account': async () => {
    const user = await fixture.createMember()
    return {
      file: await fixture.createUpload(user),
      remove: () => deleteUser(asJudge(), { id: user.id, password }),
    }
  },
  'a picture': async () => {
    const user = await fixture.createMember()
    const file = await fixture.createUpload(user)
    await fixture.sql`update users set avatar_url = ${file.secureUrl} where id = ${user.id}`
    return { file, remove: () => updateProfile(ctxOf(user), { avatarUrl: null }) }
  },
  'an unused upload': async () => {
    const file = await fixture.createUpload(await fixture.createMember())
    await fixture.clock.setAge('uploads', 'created_at', 25 * 3600, { id: file.id })
    return { file, remove: () => sweepOrphans(fixture.deps) }
  },
}

it.each(Object.entries(DELETIONS))('deletes the file of %s once the storage is available', async (_what, prepare) => {
  const { file, remove } = await prepare()
  vi.spyOn(fixture.storage, 'remove').mockRejectedValue(new StorageUnavailable('away'))
  await remove()
  const isStored = async () => (await fixture.storage.head(file.key)) !== null
  expect(await isStored()).toBe(true)

  await fixture.clock.makeJobsDue({ kind: REMOVE_OBJECTS_JOB })
  const worker = startWorker(
    fixture.deps,
    { [REMOVE_OBJECTS_JOB]: removeObjectsHandler(fixture.deps) },
    { probeSeconds: 0.1 },
  )
  try {
    const lastErrors = () =>
      fixture.sql`select last_error from jobs where kind = ${REMOVE_OBJECTS_JOB} and status = 'pending'`
    await expect.poll(lastErrors).toEqual([{ last_error: 'The storage is unavailable' }])
    vi.restoreAllMocks()
    await expect.poll(isStored).toBe(false)
    await expect.poll(lastErrors).toEqual([])
  } finally {
    await worker.stop()
  }
})

it('keeps a file whose row has been inserted again, as an import does', async () => {
  const { key } = await fixture.createUpload(await fixture.createMember())
  const job = { key: null, id: '', attempts: 1 } as unknown as Job
  await removeObjectsHandler(fixture.deps).run(job, { keys: [key] })
  expect(await fixture.storage.head(key)).not.toBeNull()
})

/** Runs a job for 20 keys, which the storage deletes unless `fail` throws; resolves with its failure and the keys that were tried. */
async function runFor(fail: (key: string) => void) {
  const tried: string[] = []
  vi.spyOn(fixture.storage, 'remove').mockImplementation(async (key) => {
    tried.push(key)
    fail(key)
  })
  const keys = Array.from({ length: 20 }, (_, n) => `2020-01-01/${n}`)
  const failure: unknown = await Promise.resolve(removeObjectsHandler(fixture.deps).run({} as Job, { keys })).catch(
    (error: unknown) => error,
  )
  return { failure, tried: tried.length }
}

it('tries all objects when one cannot be deleted, and counts the attempt', async () => {
  for (const error of [
    new StorageUnavailable(new Error('EISDIR'), 'object'),
    new StorageUnavailable(new Error('EISDIR')),
  ]) {
    const outcome = await runFor((key) => {
      if (key.endsWith('/9')) throw error
    })
    const message = '1 objects could not be deleted: EISDIR'
    expect(outcome).toMatchObject({ failure: { message, type: 'temporary' }, tried: 20 })
  }
})

it('takes it for an outage if the storage accepts no deletion, and tries no more objects', async () => {
  const outcome = await runFor(() => {
    throw new StorageUnavailable(new Error('ECONNREFUSED'))
  })
  expect(outcome).toMatchObject({ failure: { type: 'unavailable' }, tried: 8 })
})
