/** The rules of teams, challenges, submissions and points, from the specification. */
import { ACCESS_RULES } from './access-rules.ts'
import type { Community, Operation, Outcome, Submission, Submitting, Team } from './community.ts'
import { byAdmin, CREATED, emit, isAdmin, OK, removeMember, type Rule, type RulesOf, TEAM_MISSING } from './rule.ts'

const SUBMISSION_MISSING = '404 SUBMISSION_MISSING'
const CHALLENGE_MISSING = '404 CHALLENGE_MISSING'
const ALREADY_APPLIED = '409 ALREADY_APPLIED'
const MEMBER_ALREADY_APPLIED = '409 MEMBER_ALREADY_APPLIED'

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

/** Checks access and existence, before the rule itself. */
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
  emit(community, 'submission.created', name)
  return CREATED
}

const RULES: RulesOf<Operation> = {
  ...ACCESS_RULES,
  create(community, { actor, team, maxMembers }) {
    if (isAdmin(community, actor)) return '403 ADMINS_CANNOT_CREATE'
    if (community.teams.has(team)) return '409 DUPLICATE_NAME'
    community.teams.set(team, { members: [actor], chef: actor, maxMembers, isActive: true })
    emit(community, 'team.created', team)
    return CREATED
  },
  join: onTeam((team, { actor, team: name }, community) => {
    if (isAdmin(community, actor)) return '403 ADMINS_CANNOT_JOIN'
    if (team.members.includes(actor)) return '409 ALREADY_MEMBER'
    if (!team.isActive) return '409 TEAM_INACTIVE'
    if (team.members.length >= team.maxMembers) return '409 TEAM_FULL'
    team.members.push(actor)
    emit(community, 'team.member.joined', name)
    return CREATED
  }),
  leave: onTeam((team, { actor, team: name }, community) => {
    if (!team.members.includes(actor)) return '403 NOT_A_MEMBER'
    removeMember(community, name, team, actor)
    return OK
  }),
  activate: byAdmin(
    onTeam((team) => {
      if (team.members.length === 0) return '409 TEAM_EMPTY'
      team.isActive = true
      return OK
    }),
  ),
  remove: byChef((team, { team: name, target, autoAssign }, community) => {
    if (!team.members.includes(target)) return '404 MEMBER_MISSING'
    if (target === team.chef && team.members.length === 1) return '409 LAST_MEMBER'
    if (target === team.chef && team.members.length > 2 && !autoAssign) return '409 NEW_OWNER_REQUIRED'
    removeMember(community, name, team, target)
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
    for (const [webhook, { team }] of community.webhooks) if (team === name) community.webhooks.delete(webhook)
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
      emit(community, `submission.${submission.status}`, submission.team)
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
      emit(community, 'submission.reset', team)
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
    emit(community, 'submission.reset', submission.team)
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
  community.banned.has(operation.actor)
    ? '401 NOT_SIGNED_IN'
    : (RULES[operation.kind] as Rule<Operation>)(community, operation)
