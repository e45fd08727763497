import { validInput } from '@community/testing'
import { ADMIN } from '@community/testing/server'
import { applyToChallenge, evaluateSubmission, uploadPicture } from './challenge-steps.ts'
import { payloadAt, payloadText, PAYLOADS, payloadsUpTo } from './security-payloads.ts'
import {
  adminToken,
  callApi,
  createChallenge,
  createTeam,
  registerMember,
  type SignedInUser,
  randomWord,
} from './steps.ts'
import { joinTeam } from './team-steps.ts'

/** The origin of every link that this file creates. A test replaces it with `javascript:` in the responses. */
export const LINK_ORIGIN = 'https://links.example'

export type HostileContent = Awaited<ReturnType<typeof createHostileContent>>

const profile = (index: number) => ({
  name: payloadAt(index),
  bio: payloadText(1000, index),
  github: `${LINK_ORIGIN}/${encodeURIComponent(payloadAt(index))}`,
  instagram: `${LINK_ORIGIN}/?${payloadAt(2).replaceAll(' ', '+')}`,
  portfolio: `${LINK_ORIGIN}/#"onclick=alert(1)`,
})

async function registerHostileMember(index: number): Promise<SignedInUser> {
  const person = await registerMember()
  await callApi('PUT /users/profile', person.token, profile(index))
  return { ...person, name: payloadAt(index) }
}

const createHostileTeam = (chef: SignedInUser, name: string, index: number) => {
  const { userInfo } = validInput('teams.create')
  const { name: firstName, ...links } = profile(index)
  return createTeam(chef, name, {
    description: payloadText(1000, index),
    userInfo: { ...userInfo, ...links, firstName, email: chef.email },
  })
}

const createHostileChallenge = (title: string, index: number) =>
  createChallenge({
    title,
    description: payloadText(5000, index),
    requirements: [...PAYLOADS],
    tags: PAYLOADS.slice(0, 20),
    evaluationCriteria: [...PAYLOADS],
    resources: PAYLOADS.slice(0, 20).map((payload) => ({
      title: payload,
      url: `${LINK_ORIGIN}/?${encodeURIComponent(payload)}`,
      type: 'tool',
    })),
    maxSubmissions: 5,
  })

async function moderate(member: SignedInUser, banned: SignedInUser): Promise<void> {
  const token = await adminToken()
  const { password } = ADMIN
  await callApi('POST /admin/warnings', token, { userId: member.id, reason: payloadText(500), password })
  await callApi('POST /admin/ban', token, { userId: banned.id, reason: payloadText(500, 7), password })
  await callApi('POST /admin/blacklist', token, {
    email: `${randomWord()}${randomWord()}@example.ma`,
    reason: payloadText(500, 14),
  })
}

/** Creates content with markup in the fields of profiles, teams, challenges, work, feedback and reasons, and in file names. */
export async function createHostileContent() {
  const [chef, member, banned] = await Promise.all([
    registerHostileMember(1),
    registerHostileMember(2),
    registerHostileMember(4),
  ])
  const teams: { id: string; name: string }[] = []
  // Names of teams have at most 40 characters, and a space and a random word follow.
  for (const [index, payload] of payloadsUpTo(33).slice(0, 6).entries())
    teams.push(await createHostileTeam(chef, `${payload} ${randomWord()}`, index * 5))
  const [team] = teams
  if (!team) throw new Error('No payload is short enough for a name')
  await joinTeam(team, member)
  const challenges = [
    await createHostileChallenge(`${payloadAt(0)} ${randomWord()}`, 0),
    await createHostileChallenge(`${payloadAt(4)} ${randomWord()}`, 20),
  ]
  const [challenge] = challenges
  if (!challenge) throw new Error('There is no challenge')
  const link = (index: number) => ({
    type: 'link',
    content: `${LINK_ORIGIN}/${index}/${encodeURIComponent(payloadAt(index))}`,
    applicationNotes: payloadText(2000, index),
  })
  /** Ids of the first team's submissions: a link of each status, and an approved file. */
  const works = {
    pending: await applyToChallenge(chef, team, challenge, link(3)),
    approved: await applyToChallenge(chef, team, challenge, link(9)),
    rejected: await applyToChallenge(chef, team, challenge, link(11)),
    upload: await applyToChallenge(chef, team, challenge, {
      ...(await uploadPicture(chef, `${payloadAt(1)}.png`)),
      applicationNotes: payloadText(2000),
    }),
  }
  await evaluateSubmission(works.approved, { status: 'approved', score: 100, feedback: payloadText(5000) })
  await evaluateSubmission(works.upload, { status: 'approved', score: 99, feedback: payloadText(5000, 5) })
  await evaluateSubmission(works.rejected, { status: 'rejected', feedback: payloadText(5000, 9) })
  await moderate(member, banned)
  return { chef, member, banned, teams, challenges, works }
}
