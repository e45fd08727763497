/** The rules of teams, challenges, submissions and points, from the specification. */
import type { Community, Operation, Outcome, Submission, Submitting, Team } from './community.ts'

const OK = '200'
const CREATED = '201'
const TEAM_MISSING = '404 TEAM_MISSING'
const SUBMISSION_MISSING = '404 SUBMISSION_MISSING'
const CHALLENGE_MISSING = '404 CHALLENGE_MISSING'
const ALREADY_APPLIED = '409 ALREADY_APPLIED'
const MEMBER_ALREADY_APPLIED = '409 MEMBER_ALREADY_APPLIED'

const isAdmin = ({ admins }: Community, actor: number): boolean => actor >= admins
const holdsSlot = ({ status }: Submission): boolean => status !== 'rejected'

const slotsTaken = ({ submissions }: Community, team: string, challenge: number): number =>
  [...submissions.values()].filter((item) => item.team === team && item.challenge === challenge && holdsSlot(item))
    .length

/** Whether one of these actors has a submission for this challenge with another team. */
const isElsewhere = ({ submissions }: Community, people: number[], team: string, challenge: number): boolean =>
  [...submissions.values()]
    .filter((item) => item.team !== team && item.challenge === challenge && holdsSlot(item))
    .some(({ snapshot }) => snapshot.some((person) => people.includes(person)))

function whyCannotSubmit(community: Community, name: string, team: Team, challenge: number): Outcome | null {
  const wanted = community.challenges[challenge]
  if (!wanted) return CHALLENGE_MISSING
  if (!wanted.isActive) return '409 CHALLENGE_INACTIVE'
  if (!team.isActive) return '409 TEAM_INACTIVE'
  if (slotsTaken(community, name, challenge) >= wanted.maxSubmissions) return ALREADY_APPLIED
  return isElsewhere(community, team.members, name, challenge) ? MEMBER_ALREADY_APPLIED : null
}

function removeMember(team: Team, actor: number): void {
  team.members = team.members.filter((member) => member !== actor)
  if (team.chef === actor) team.chef = team.members[0] ?? null
  if (team.members.length === 0) team.isActive = false
}

/** Checks access and existence, before the rule itself. */
type Rule<O> = (community: Community, operation: O) => Outcome
type RuleOn<T, O> = (subject: T, operation: O, community: Community) => Outcome

const onTeam =
  <O extends { team: string }>(rule: RuleOn<Team, O>): Rule<O> =>
  (community, operation) => {
    const team = community.teams.get(operation.team)
    return team ? rule(team, operation, community) : TEAM_MISSING
  }

const onSubmission =
  <O extends { link: string }>(rule: RuleOn<Submission, O>): Rule<O> =>
  (community, operation) => {
    const submission = community.submissions.get(operation.link)
    return submission ? rule(submission, operation, community) : SUBMISSION_MISSING
  }

const byAdmin =
  <O extends { actor: number }>(rule: Rule<O>): Rule<O> =>
  (community, operation) =>
    isAdmin(community, operation.actor) ? rule(community, operation) : '403 ADMINS_ONLY'

/** Administrators are allowed too, but only with a password, which these calls do not contain. */
const byChef =
  <O extends { actor: number; team: string }>(rule: RuleOn<Team, O>): Rule<O> =>
  (community, operation) => {
    if (isAdmin(community, operation.actor)) return '400 PASSWORD_REQUIRED'
    const guarded = onTeam<O>((team) =>
      team.chef === operation.actor ? rule(team, operation, community) : '403 CHEF_ONLY',
    )
    return guarded(community, operation)
  }

const submit: Rule<Submitting<'apply' | 'submit'>> = (community, { kind, actor, team: name, challenge, link }) => {
  const team = community.teams.get(name)
  if (!team || (kind === 'submit' && !team.members.includes(actor))) return TEAM_MISSING
  if (kind === 'apply' && team.chef !== actor) return '403 CHEF_REQUIRED'
  const why = whyCannotSubmit(community, name, team, challenge)
  if (why) return why
  const submission = { team: name, challenge, submitter: actor, snapshot: [...team.members] }
  community.submissions.set(link, { ...submission, status: 'pending', points: null })
  return CREATED
}

const RULES: { [K in Operation['kind']]: Rule<Extract<Operation, { kind: K }>> } = {
  create(community, { actor, team, maxMembers }) {
    if (isAdmin(community, actor)) return '403 ADMINS_CANNOT_CREATE'
    if (community.teams.has(team)) return '409 DUPLICATE_NAME'
    community.teams.set(team, { members: [actor], chef: actor, maxMembers, isActive: true })
    return CREATED
  },
  join: onTeam((team, { actor }, community) => {
    if (isAdmin(community, actor)) return '403 ADMINS_CANNOT_JOIN'
    if (team.members.includes(actor)) return '409 ALREADY_MEMBER'
    if (!team.isActive) return '409 TEAM_INACTIVE'
    if (team.members.length >= team.maxMembers) return '409 TEAM_FULL'
    team.members.push(actor)
    return CREATED
  }),
  leave: onTeam((team, { actor }) => {
    if (!team.members.includes(actor)) return '403 NOT_A_MEMBER'
    removeMember(team, actor)
    return OK
  }),
  activate: byAdmin(
    onTeam((team) => {
      if (team.members.length === 0) return '409 TEAM_EMPTY'
      team.isActive = true
      return OK
    }),
  ),
  remove: byChef((team, { target, autoAssign }) => {
    if (!team.members.includes(target)) return '404 MEMBER_MISSING'
    if (target === team.chef && team.members.length === 1) return '409 LAST_MEMBER'
    if (target === team.chef && team.members.length > 2 && !autoAssign) return '409 NEW_OWNER_REQUIRED'
    removeMember(team, target)
    return OK
  }),
  transfer: byChef((team, { target }) => {
    if (!team.members.includes(target)) return '404 NEW_OWNER_MISSING'
    if (team.chef === target) return '409 ALREADY_CHEF'
    team.chef = target
    return OK
  }),
  update: byChef((team, { maxMembers = team.maxMembers, isActive = team.isActive }) => {
    if (maxMembers < team.members.length) return '409 TEAM_SMALLER_THAN_MEMBERS'
    if (isActive && !team.isActive) return '403 ADMINS_REACTIVATE'
    Object.assign(team, { maxMembers, isActive })
    return OK
  }),
  delete: byChef((_team, { team: name }, community) => {
    community.teams.delete(name)
    for (const [link, { team }] of community.submissions) if (team === name) community.submissions.delete(link)
    return OK
  }),
  apply: submit,
  submit,
  evaluate: byAdmin(
    onSubmission((submission, { score }, community) => {
      if (submission.status !== 'pending') return '409 NOT_PENDING'
      const { points = 0 } = community.challenges[submission.challenge] ?? {}
      submission.status = score === null ? 'rejected' : 'approved'
      submission.points = score === null ? null : Math.floor((points * score + 50) / 100)
      return OK
    }),
  ),
  reset: byAdmin(
    onSubmission((submission, _operation, community) => {
      const { status, team, challenge, snapshot } = submission
      if (status === 'pending') return '409 NOT_EVALUATED'
      if (status === 'rejected') {
        if (slotsTaken(community, team, challenge) >= (community.challenges[challenge]?.maxSubmissions ?? 0))
          return ALREADY_APPLIED
        if (isElsewhere(community, snapshot, team, challenge)) return MEMBER_ALREADY_APPLIED
      }
      Object.assign(submission, { status: 'pending', points: null })
      return OK
    }),
  ),
  resubmit: onSubmission((submission, { actor }, community) => {
    const team = community.teams.get(submission.team)
    if (!team?.members.includes(actor)) return SUBMISSION_MISSING
    if (team.chef !== actor && submission.submitter !== actor) return '403 SUBMITTER_ONLY'
    if (submission.status !== 'rejected') return '409 NOT_REJECTED'
    const why = whyCannotSubmit(community, submission.team, team, submission.challenge)
    if (why) return why
    Object.assign(submission, { status: 'pending', points: null, snapshot: [...team.members] })
    return OK
  }),
  discard: byAdmin(
    onSubmission((_submission, { link }, community) => {
      community.submissions.delete(link)
      return OK
    }),
  ),
  switch: byAdmin((community, { challenge, isActive }) => {
    const found = community.challenges[challenge]
    if (!found) return CHALLENGE_MISSING
    found.isActive = isActive
    return OK
  }),
}

/** Applies an operation by the rules; returns the expected response. */
export const perform = (community: Community, operation: Operation): Outcome =>
  (RULES[operation.kind] as Rule<Operation>)(community, operation)
