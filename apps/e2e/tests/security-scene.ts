import { validInput } from '@community/testing'
import { ADMIN } from '@community/testing/server'
import { applied, judged, uploadedPicture } from './challenge-steps.ts'
import { manyOf, PAYLOADS, shortOf } from './security-payloads.ts'
import { adminToken, call, challenged, founded, registered, type SignedInPerson, word } from './steps.ts'
import { joined } from './team-steps.ts'

/** The origin of every link here. */
export const LINKS = 'https://links.example'

export interface HostileScene {
  chef: SignedInPerson
  mate: SignedInPerson
  banned: SignedInPerson
  teams: { id: string; name: string }[]
  challenges: { id: string; title: string }[]
  /** Ids of the first team's submissions: a link of each status, and an approved file. */
  works: { pending: string; approved: string; rejected: string; upload: string }
}

const profile = (nth: number) => ({
  name: PAYLOADS[nth],
  bio: manyOf(1000, nth),
  github: `${LINKS}/${encodeURIComponent(PAYLOADS[nth] ?? '')}`,
  instagram: `${LINKS}/?${PAYLOADS[2]?.replaceAll(' ', '+')}`,
  portfolio: `${LINKS}/#"onclick=alert(1)`,
})

async function writer(nth: number): Promise<SignedInPerson> {
  const person = await registered()
  await call('PUT /users/profile', person.token, profile(nth))
  return { ...person, name: PAYLOADS[nth] ?? '' }
}

const hostileTeam = (chef: SignedInPerson, name: string, nth: number): Promise<HostileScene['teams'][number]> => {
  const { userInfo } = validInput('teams.create')
  const { name: firstName = '', ...links } = profile(nth)
  return founded(chef, name, {
    description: manyOf(1000, nth),
    userInfo: { ...userInfo, ...links, firstName, email: chef.email },
  })
}

const hostileChallenge = (title: string, nth: number): Promise<HostileScene['challenges'][number]> =>
  challenged({
    title,
    description: manyOf(5000, nth),
    requirements: [...PAYLOADS],
    tags: PAYLOADS.slice(0, 20),
    evaluationCriteria: [...PAYLOADS],
    resources: PAYLOADS.slice(0, 20).map((payload) => ({
      title: payload,
      url: `${LINKS}/?${encodeURIComponent(payload)}`,
      type: 'tool',
    })),
    maxSubmissions: 5,
  })

async function moderated(mate: SignedInPerson, banned: SignedInPerson): Promise<void> {
  const token = await adminToken()
  const { password } = ADMIN
  await call('POST /admin/warnings', token, { userId: mate.id, reason: manyOf(500), password })
  await call('POST /admin/ban', token, { userId: banned.id, reason: manyOf(500, 7), password })
  await call('POST /admin/blacklist', token, { email: `${word()}${word()}@example.ma`, reason: manyOf(500, 14) })
}

/** Everything that people may write holds markup: profiles, teams, challenges, work, verdicts, reasons, names of files. */
export async function hostileScene(): Promise<HostileScene> {
  const [chef, mate, banned] = await Promise.all([writer(1), writer(2), writer(4)])
  const teams: HostileScene['teams'] = []
  for (const [nth, payload] of shortOf(33).slice(0, 6).entries())
    teams.push(await hostileTeam(chef, `${payload} ${word()}`, nth * 5))
  const [team] = teams
  if (!team) throw new Error('No payload is short enough for a name')
  await joined(team, mate)
  const challenges = [
    await hostileChallenge(`${PAYLOADS[0]} ${word()}`, 0),
    await hostileChallenge(`${PAYLOADS[4]} ${word()}`, 20),
  ]
  const [challenge] = challenges
  if (!challenge) throw new Error('There is no challenge')
  const link = (nth: number) => ({
    type: 'link',
    content: `${LINKS}/${nth}/${encodeURIComponent(PAYLOADS[nth] ?? '')}`,
    applicationNotes: manyOf(2000, nth),
  })
  const works = {
    pending: await applied(chef, team, challenge, link(3)),
    approved: await applied(chef, team, challenge, link(9)),
    rejected: await applied(chef, team, challenge, link(11)),
    upload: await applied(chef, team, challenge, {
      ...(await uploadedPicture(chef, `${PAYLOADS[1]}.png`)),
      applicationNotes: manyOf(2000),
    }),
  }
  await judged(works.approved, { status: 'approved', score: 100, feedback: manyOf(5000) })
  await judged(works.upload, { status: 'approved', score: 99, feedback: manyOf(5000, 5) })
  await judged(works.rejected, { status: 'rejected', feedback: manyOf(5000, 9) })
  await moderated(mate, banned)
  return { chef, mate, banned, teams, challenges, works }
}
