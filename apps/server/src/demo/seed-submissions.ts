import { contract } from '@community/contract'
import { inTransaction } from '@community/db'
import { pointsLedger, submissions } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import { applyToChallenge } from '../challenges/apply-to-challenge.ts'
import type { Caller, Deps } from '../context.ts'
import { evaluateSubmission } from '../submissions/evaluate-submission.ts'
import { storeDemoFile } from './files.ts'
import { contextFor, createRandom, pick } from './seed-context.ts'

export interface SeededTeam {
  id: string
  chef: Caller
}

const LINKS = [
  'https://github.com/community-demo/bus-times',
  'https://www.figma.com/file/demo/zellige',
  'https://www.youtube.com/watch?v=demo',
  'https://soundcloud.com/community-demo/annonces',
  'https://community-demo.example/projet',
]
const FEEDBACK = [
  'Clear, fast and tested. The offline mode is exactly right.',
  'Très bon travail. Les contrastes du mode sombre sont à revoir.',
  'عمل جميل ومتقن، ينقصه شرح طريقة التشغيل.',
  'Solid. Please shorten the first page: people leave before they see the map.',
]
const REJECTIONS = [
  'The link answers 404. Please check it and apply again.',
  'Il manque la licence et les instructions : complétez et renvoyez.',
]

export async function seedSubmissions(
  deps: Deps,
  seededTeams: SeededTeam[],
  challengeIds: string[],
  admin: Caller,
): Promise<void> {
  const random = createRandom(2026)
  for (const [at, { id, chef }] of seededTeams.slice(0, 24).entries()) {
    const challengeIndexes = [
      ...new Set([
        random(challengeIds.length),
        random(challengeIds.length),
        random(challengeIds.length),
        random(challengeIds.length),
      ]),
    ]
    for (const [nth, challengeIndex] of challengeIndexes.entries()) {
      const file = (at + nth) % 4 === 0 ? await storeDemoFile(deps, contextFor(deps, chef), at + nth) : null
      const form = contract.challenges.applyTo.input.parse({
        id: pick(challengeIds, challengeIndex),
        teamId: id,
        type: file ? 'upload' : 'link',
        content: file?.secureUrl ?? pick(LINKS, random(LINKS.length)),
        applicationNotes: nth === 0 ? 'First version; we would like honest feedback.' : '',
      })
      const { submission } = await applyToChallenge(contextFor(deps, chef), form)
      await seedVerdict(deps, admin, submission.id, random)
      await backdate(deps, submission.id, 1 + random(50))
    }
  }
}

/** Approves six in ten submissions, rejects two and leaves two pending. */
async function seedVerdict(deps: Deps, admin: Caller, id: string, random: (below: number) => number): Promise<void> {
  const outcome = random(10)
  if (outcome >= 8) return
  const verdict =
    outcome < 6
      ? { id, status: 'approved' as const, score: 55 + random(46), feedback: pick(FEEDBACK, random(FEEDBACK.length)) }
      : { id, status: 'rejected' as const, feedback: pick(REJECTIONS, random(REJECTIONS.length)) }
  await evaluateSubmission(contextFor(deps, admin), contract.submissions.evaluate.input.parse(verdict))
}

async function backdate(deps: Deps, id: string, days: number): Promise<void> {
  const hoursAgo = (extra: number) => sql`now() - make_interval(hours => ${days * 24 - extra})`
  await inTransaction(deps.db, async (tx) => {
    await tx
      .update(submissions)
      .set({
        createdAt: hoursAgo(0),
        evaluatedAt: sql`case when ${submissions.evaluatedAt} is null then null else ${hoursAgo(20)} end`,
      })
      .where(eq(submissions.id, id))
    await tx
      .update(pointsLedger)
      .set({ createdAt: hoursAgo(20) })
      .where(eq(pointsLedger.submissionId, id))
  })
}
