import { PASSWORD } from '@community/testing'
import { type Call, requestOf } from '@community/testing/api-client'
import { joinRequest } from '@community/testing/community'
import { type Operation, type Scope, tokenKey } from '../model/community.ts'
import type { RealCommunity } from './real-community.ts'

const TEAM_EVENTS = [
  'team.member.joined',
  'team.member.left',
  'submission.created',
  'submission.approved',
  'submission.rejected',
  'submission.reset',
] as const
/** The events that the model (`model/rules.ts`) predicts. It has none of challenges. */
const MODELLED_EVENTS = [...TEAM_EVENTS, 'team.created', 'user.banned'] as const

const USES: Record<Scope, Omit<Call, 'token'>> = {
  read: { line: 'GET /users/profile' },
  write: { line: 'PUT /users/profile', body: { bio: 'By a script' } },
  admin: { line: 'GET /admin/settings' },
}

type RequestFor<K extends Operation['kind']> = (
  operation: Extract<Operation, { kind: K }>,
  real: RealCommunity,
  caller: { token: string },
) => Call

const REQUESTS: { [K in Operation['kind']]: RequestFor<K> } = {
  create: ({ team, maxMembers }, { form, nameOf }, caller) =>
    requestOf('teams.create', { ...form, name: nameOf(team), maxMembers }, caller),
  join: ({ team }, { form, idOf }, caller) => joinRequest({ ...form, id: idOf(team) }, caller),
  leave: ({ team }, { idOf }, caller) => requestOf('teams.leave', { id: idOf(team) }, caller),
  delete: ({ team }, { idOf }, caller) => requestOf('teams.remove', { id: idOf(team) }, caller),
  activate: ({ team }, { idOf }, caller) => requestOf('admin.activateTeam', { id: idOf(team) }, caller),
  remove: ({ team, target, autoAssign }, { idOf, userIdOf }, caller) =>
    requestOf('teams.removeMember', { id: idOf(team), userId: userIdOf(target), autoAssign }, caller),
  transfer: ({ team, target }, { idOf, userIdOf }, caller) =>
    requestOf('teams.transferOwnership', { id: idOf(team), newOwnerId: userIdOf(target) }, caller),
  update: ({ team, maxMembers, isActive }, { idOf }, caller) =>
    requestOf('teams.update', { id: idOf(team), maxMembers, isActive }, caller),
  apply: ({ team, challenge, link }, { challengeIdOf, idOf, urlOf }, caller) =>
    requestOf('challenges.applyTo', { id: challengeIdOf(challenge), teamId: idOf(team), content: urlOf(link) }, caller),
  submit: ({ team, challenge, link }, { challengeIdOf, nameOf, urlOf }, caller) =>
    requestOf(
      'challenges.submit',
      { id: challengeIdOf(challenge), teamName: nameOf(team), content: urlOf(link) },
      caller,
    ),
  evaluate({ link, score }, { idOf }, caller) {
    const verdict = score === null ? { status: 'rejected' as const, score: undefined } : { score }
    return requestOf('submissions.evaluate', { id: idOf(link), ...verdict }, caller)
  },
  reset: ({ link }, { idOf }, caller) => requestOf('submissions.resetEvaluation', { id: idOf(link) }, caller),
  resubmit: ({ link }, { idOf }, caller) =>
    requestOf('submissions.setStatus', { id: idOf(link), status: 'pending' }, caller),
  discard: ({ link }, { idOf }, caller) => requestOf('submissions.remove', { id: idOf(link) }, caller),
  switch({ challenge, isActive }, { challengeIdOf }, caller) {
    const procedure = isActive ? 'admin.activateChallenge' : 'admin.deactivateChallenge'
    return requestOf(procedure, { id: challengeIdOf(challenge) }, caller)
  },
  createToken: ({ token, scopes }, _, caller) => requestOf('users.createToken', { name: token, scopes }, caller),
  revokeToken: (operation, { idOf }, caller) =>
    requestOf('users.revokeToken', { id: idOf(tokenKey(operation)) }, caller),
  useToken: (operation, { secrets }) => ({
    ...USES[operation.scope],
    token: secrets.get(tokenKey(operation)) ?? 'cmt_unknown',
  }),
  listTokens: (_, __, { token }) => ({ line: 'GET /users/tokens', token }),
  changePassword: ({ revokesTokens }, _, caller) =>
    requestOf('auth.changePassword', { revokeTokens: revokesTokens }, caller),
  ban: ({ target }, { userIdOf }, caller) => requestOf('admin.ban', { userId: userIdOf(target) }, caller),
  createWebhook({ team, webhook }, { idOf, receiverOf }, caller) {
    const owner = team === null ? { events: [...MODELLED_EVENTS] } : { events: [...TEAM_EVENTS], teamId: idOf(team) }
    return requestOf('webhooks.create', { ...owner, url: receiverOf(webhook), password: PASSWORD }, caller)
  },
  deleteWebhook: ({ webhook }, { idOf }, caller) =>
    requestOf('webhooks.remove', { id: idOf(webhook), password: PASSWORD }, caller),
  switchWebhook: ({ webhook, isActive }, { idOf }, caller) =>
    requestOf('webhooks.update', { id: idOf(webhook), isActive, password: PASSWORD }, caller),
  listWebhooks: (_, __, { token }) => ({ line: 'GET /webhooks', token }),
}

/** The request of an operation, by its actor. */
export function requestFor(real: RealCommunity, operation: Operation): Call {
  const makeRequest = REQUESTS[operation.kind]
  return makeRequest(operation as never, real, real.actors[operation.actor] ?? { token: '' })
}
