/** What a community is, without a server: the rules of teams, challenges, submissions and points, as the specification has them. */

export interface Verdict {
  status: number
  code?: string
}

interface Team {
  /** In the order of joining. */
  members: number[]
  chef: number | null
  maxMembers: number
  isActive: boolean
}

interface Challenge {
  isActive: boolean
  maxSubmissions: number
  points: number
}

interface Submission {
  team: string
  challenge: number
  submitter: number
  /** Who was in the team when it was handed in. */
  snapshot: number[]
  status: 'pending' | 'approved' | 'rejected'
  points: number | null
}

export interface Community {
  /** Actors with a number from here on are administrators. */
  admins: number
  /** By name. */
  teams: Map<string, Team>
  challenges: Challenge[]
  /** By their link. */
  submissions: Map<string, Submission>
}

interface OfTeam<K> {
  kind: K
  actor: number
  team: string
}
interface OfWork<K> {
  kind: K
  actor: number
  link: string
}
type HandIn<K> = OfTeam<K> & { challenge: number; link: string }

export type Operation =
  | (OfTeam<'create'> & { maxMembers: number })
  | OfTeam<'join'>
  | OfTeam<'leave'>
  | OfTeam<'delete'>
  | OfTeam<'activate'>
  | (OfTeam<'remove'> & { target: number; autoAssign: boolean })
  | (OfTeam<'transfer'> & { target: number })
  | (OfTeam<'update'> & { maxMembers?: number; isActive?: boolean })
  | HandIn<'apply'>
  | HandIn<'submit'>
  | (OfWork<'evaluate'> & { score: number | null })
  | OfWork<'reset'>
  | OfWork<'resubmit'>
  | OfWork<'discard'>
  | { kind: 'switch'; actor: number; challenge: number; isActive: boolean }

const OK: Verdict = { status: 200 }
const MADE: Verdict = { status: 201 }
const refused = (status: number, code: string): Verdict => ({ status, code })

const TEAM_MISSING = refused(404, 'TEAM_MISSING')
const SUBMISSION_MISSING = refused(404, 'SUBMISSION_MISSING')
const ADMINS_ONLY = refused(403, 'ADMINS_ONLY')
const ALREADY_APPLIED = refused(409, 'ALREADY_APPLIED')
const MEMBER_ALREADY_APPLIED = refused(409, 'MEMBER_ALREADY_APPLIED')

const isAdmin = ({ admins }: Community, actor: number): boolean => actor >= admins
const holdsSlot = ({ status }: Submission): boolean => status !== 'rejected'

const slotsTaken = ({ submissions }: Community, team: string, challenge: number): number =>
  [...submissions.values()].filter((one) => one.team === team && one.challenge === challenge && holdsSlot(one)).length

/** Did one of these people hand something in for this challenge with another team? */
const isElsewhere = ({ submissions }: Community, people: number[], team: string, challenge: number): boolean =>
  [...submissions.values()].some(
    (one) =>
      one.team !== team &&
      one.challenge === challenge &&
      holdsSlot(one) &&
      one.snapshot.some((person) => people.includes(person)),
  )

function whyCannotHandIn(community: Community, name: string, team: Team, challenge: number): Verdict | null {
  const wanted = community.challenges[challenge]
  if (!wanted) return refused(404, 'CHALLENGE_MISSING')
  if (!wanted.isActive) return refused(409, 'CHALLENGE_INACTIVE')
  if (!team.isActive) return refused(409, 'TEAM_INACTIVE')
  return slotsTaken(community, name, challenge) >= wanted.maxSubmissions ? ALREADY_APPLIED : null
}

function takeOut(team: Team, actor: number, heir?: number): void {
  team.members = team.members.filter((member) => member !== actor)
  if (team.chef === actor) team.chef = heir ?? team.members[0] ?? null
  if (team.members.length === 0) team.isActive = false
}

type Of<K extends Operation['kind']> = Extract<Operation, { kind: K }>

function create(community: Community, { actor, team, maxMembers }: Of<'create'>): Verdict {
  if (isAdmin(community, actor)) return refused(403, 'ADMINS_CANNOT_CREATE')
  if (community.teams.has(team)) return refused(409, 'DUPLICATE_NAME')
  community.teams.set(team, { members: [actor], chef: actor, maxMembers, isActive: true })
  return MADE
}

function join(community: Community, actor: number, team: Team): Verdict {
  if (isAdmin(community, actor)) return refused(403, 'ADMINS_CANNOT_JOIN')
  if (team.members.includes(actor)) return refused(409, 'ALREADY_MEMBER')
  if (!team.isActive) return refused(409, 'TEAM_INACTIVE')
  if (team.members.length >= team.maxMembers) return refused(409, 'TEAM_FULL')
  team.members.push(actor)
  return MADE
}

function leave(actor: number, team: Team): Verdict {
  if (!team.members.includes(actor)) return refused(403, 'NOT_A_MEMBER')
  takeOut(team, actor)
  return OK
}

function activate(team: Team): Verdict {
  if (team.members.length === 0) return refused(409, 'TEAM_EMPTY')
  team.isActive = true
  return OK
}

function remove(team: Team, { target, autoAssign }: Of<'remove'>): Verdict {
  if (!team.members.includes(target)) return refused(404, 'MEMBER_MISSING')
  if (target === team.chef && team.members.length === 1) return refused(409, 'LAST_MEMBER')
  if (target === team.chef && team.members.length > 2 && !autoAssign) return refused(409, 'NEW_OWNER_REQUIRED')
  takeOut(team, target)
  return OK
}

function transfer(team: Team, target: number): Verdict {
  if (!team.members.includes(target)) return refused(404, 'NEW_OWNER_MISSING')
  if (team.chef === target) return refused(409, 'ALREADY_CHEF')
  team.chef = target
  return OK
}

function update(team: Team, { maxMembers, isActive }: Of<'update'>): Verdict {
  if (maxMembers !== undefined && maxMembers < team.members.length) return refused(409, 'TEAM_SMALLER_THAN_MEMBERS')
  if (isActive && !team.isActive) return refused(403, 'ADMINS_REACTIVATE')
  team.maxMembers = maxMembers ?? team.maxMembers
  team.isActive = isActive ?? team.isActive
  return OK
}

function destroy(community: Community, name: string): Verdict {
  community.teams.delete(name)
  for (const [link, { team }] of community.submissions) if (team === name) community.submissions.delete(link)
  return OK
}

function handIn(community: Community, { kind, actor, team: name, challenge, link }: Of<'apply' | 'submit'>): Verdict {
  const team = community.teams.get(name)
  if (!team || (kind === 'submit' && !team.members.includes(actor))) return TEAM_MISSING
  if (kind === 'apply' && team.chef !== actor) return refused(403, 'CHEF_REQUIRED')
  const why = whyCannotHandIn(community, name, team, challenge)
  if (why) return why
  if (isElsewhere(community, team.members, name, challenge)) return MEMBER_ALREADY_APPLIED
  const snapshot = [...team.members]
  community.submissions.set(link, {
    team: name,
    challenge,
    submitter: actor,
    snapshot,
    status: 'pending',
    points: null,
  })
  return MADE
}

function evaluate(community: Community, submission: Submission, score: number | null): Verdict {
  if (submission.status !== 'pending') return refused(409, 'NOT_PENDING')
  const { points = 0 } = community.challenges[submission.challenge] ?? {}
  submission.status = score === null ? 'rejected' : 'approved'
  submission.points = score === null ? null : Math.floor((points * score + 50) / 100)
  return OK
}

function reset(community: Community, submission: Submission): Verdict {
  const { status, team, challenge, snapshot } = submission
  if (status === 'pending') return refused(409, 'NOT_EVALUATED')
  if (status === 'rejected') {
    if (slotsTaken(community, team, challenge) >= (community.challenges[challenge]?.maxSubmissions ?? 0))
      return ALREADY_APPLIED
    if (isElsewhere(community, snapshot, team, challenge)) return MEMBER_ALREADY_APPLIED
  }
  Object.assign(submission, { status: 'pending', points: null })
  return OK
}

function resubmit(community: Community, submission: Submission, actor: number): Verdict {
  const team = community.teams.get(submission.team)
  if (!team?.members.includes(actor)) return SUBMISSION_MISSING
  if (team.chef !== actor && submission.submitter !== actor) return refused(403, 'SUBMITTER_ONLY')
  if (submission.status !== 'rejected') return refused(409, 'NOT_REJECTED')
  const why = whyCannotHandIn(community, submission.team, team, submission.challenge)
  if (why) return why
  if (isElsewhere(community, team.members, submission.team, submission.challenge)) return MEMBER_ALREADY_APPLIED
  Object.assign(submission, { status: 'pending', points: null, snapshot: [...team.members] })
  return OK
}

function asChef(community: Community, operation: Of<'remove' | 'transfer' | 'update' | 'delete'>): Verdict {
  // An administrator may, with a password, which none of these calls carries.
  if (isAdmin(community, operation.actor)) return refused(400, 'PASSWORD_REQUIRED')
  const team = community.teams.get(operation.team)
  if (!team) return TEAM_MISSING
  if (team.chef !== operation.actor) return refused(403, 'CHEF_ONLY')
  switch (operation.kind) {
    case 'remove':
      return remove(team, operation)
    case 'transfer':
      return transfer(team, operation.target)
    case 'update':
      return update(team, operation)
    default:
      return destroy(community, operation.team)
  }
}

function asAdmin(
  community: Community,
  operation: Of<'activate' | 'evaluate' | 'reset' | 'discard' | 'switch'>,
): Verdict {
  if (!isAdmin(community, operation.actor)) return ADMINS_ONLY
  if (operation.kind === 'switch') {
    const challenge = community.challenges[operation.challenge]
    if (!challenge) return refused(404, 'CHALLENGE_MISSING')
    challenge.isActive = operation.isActive
    return OK
  }
  if (operation.kind === 'activate') {
    const team = community.teams.get(operation.team)
    return team ? activate(team) : TEAM_MISSING
  }
  const submission = community.submissions.get(operation.link)
  if (!submission) return SUBMISSION_MISSING
  if (operation.kind === 'evaluate') return evaluate(community, submission, operation.score)
  if (operation.kind === 'reset') return reset(community, submission)
  community.submissions.delete(operation.link)
  return OK
}

/** Does an operation, by the rules; answers what the server is to answer. */
export function perform(community: Community, operation: Operation): Verdict {
  switch (operation.kind) {
    case 'create':
      return create(community, operation)
    case 'join':
    case 'leave': {
      const team = community.teams.get(operation.team)
      if (!team) return TEAM_MISSING
      return operation.kind === 'join' ? join(community, operation.actor, team) : leave(operation.actor, team)
    }
    case 'remove':
    case 'transfer':
    case 'update':
    case 'delete':
      return asChef(community, operation)
    case 'apply':
    case 'submit':
      return handIn(community, operation)
    case 'resubmit': {
      const submission = community.submissions.get(operation.link)
      return submission ? resubmit(community, submission, operation.actor) : SUBMISSION_MISSING
    }
    default:
      return asAdmin(community, operation)
  }
}

/** What anybody could see of a community, in words that two of them can be compared by. */
export function portraitOf({ teams, submissions }: Community): string[] {
  const best = (name: string) => {
    const earned = new Map<number, number>()
    for (const { team, challenge, points } of submissions.values())
      if (team === name && points !== null) earned.set(challenge, Math.max(earned.get(challenge) ?? 0, points))
    return [...earned.values()]
  }
  return [
    ...[...teams].map(([name, { members, chef, maxMembers, isActive }]) => {
      const earned = best(name)
      const points = earned.reduce((sum, one) => sum + one, 0)
      return teamLine({ name, members, chef, maxMembers, isActive, points, completed: earned.length })
    }),
    ...[...submissions].map(([link, { status, points, submitter }]) =>
      submissionLine({ link, status, points, submitter }),
    ),
  ].toSorted()
}

interface SeenTeam {
  name: string
  members: number[]
  chef: number | null
  maxMembers: number
  isActive: boolean
  points: number
  completed: number
}
export const teamLine = ({ name, members, chef, maxMembers, isActive, points, completed }: SeenTeam): string =>
  `team ${name}: members ${members.join(' ')}, chef ${chef}, ${maxMembers} seats, ${isActive ? 'active' : 'inactive'}, ${points} points in ${completed}`

export const submissionLine = (seen: Pick<Submission, 'status' | 'points' | 'submitter'> & { link: string }): string =>
  `submission ${seen.link}: ${seen.status}, ${seen.points} points, by ${seen.submitter}`
