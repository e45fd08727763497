/** A model of a community without a server: its state and its operations. */

/** The expected response: its status and, for an error, its code. */
export type Outcome = string

export interface Team {
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

export interface Submission {
  team: string
  challenge: number
  submitter: number
  /** The team's members at the submission. */
  snapshot: number[]
  status: 'pending' | 'approved' | 'rejected'
  points: number | null
}

export type Scope = 'read' | 'write' | 'admin'

export interface Webhook {
  /** Null for one of the administrators, which receives the events of all teams. */
  team: string | null
  creator: number
  isActive: boolean
  /** The events of its deliveries. */
  received: string[]
}

export interface Community {
  /** Actors from this number on are administrators. */
  admins: number
  /** Teams by name. */
  teams: Map<string, Team>
  challenges: Challenge[]
  /** Submissions by link. */
  submissions: Map<string, Submission>
  banned: Set<number>
  /** The scopes of each personal access token, by its `tokenKey`. */
  tokens: Map<string, Scope[]>
  /** Webhooks by name. */
  webhooks: Map<string, Webhook>
}

export const tokenKey = ({ actor, token }: { actor: number; token: string }): string => `token ${actor} ${token}`

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
export type Submitting<K> = OfTeam<K> & { challenge: number; link: string }

interface OfToken<K> {
  kind: K
  actor: number
  token: string
}

/** Operations on accounts, tokens and webhooks. */
export type AccessOperation =
  | (OfToken<'createToken'> & { scopes: Scope[] })
  | OfToken<'revokeToken'>
  | (OfToken<'useToken'> & { scope: Scope })
  | { kind: 'listTokens' | 'listWebhooks'; actor: number }
  | { kind: 'changePassword'; actor: number; revokesTokens: boolean }
  | { kind: 'ban'; actor: number; target: number }
  | { kind: 'createWebhook'; actor: number; team: string | null; webhook: string }
  | { kind: 'deleteWebhook'; actor: number; webhook: string }
  | { kind: 'switchWebhook'; actor: number; webhook: string; isActive: boolean }

export type Operation =
  | AccessOperation
  | (OfTeam<'create'> & { maxMembers: number })
  | OfTeam<'join'>
  | OfTeam<'leave'>
  | OfTeam<'delete'>
  | OfTeam<'activate'>
  | (OfTeam<'remove'> & { target: number; autoAssign: boolean })
  | (OfTeam<'transfer'> & { target: number })
  | (OfTeam<'update'> & { maxMembers?: number | undefined; isActive?: boolean | undefined })
  | Submitting<'apply'>
  | Submitting<'submit'>
  | (OfWork<'evaluate'> & { score: number | null })
  | OfWork<'reset'>
  | OfWork<'resubmit'>
  | OfWork<'discard'>
  | { kind: 'switch'; actor: number; challenge: number; isActive: boolean }

/** Describes the visible state of a community in sorted lines, for comparison. */
export function describeCommunity({ teams, submissions, banned, tokens, webhooks }: Community): string[] {
  const pointsOf = (name: string) => {
    const best = new Map<number, number>()
    for (const { team, challenge, points } of submissions.values())
      if (team === name && points !== null) best.set(challenge, Math.max(best.get(challenge) ?? 0, points))
    return { points: [...best.values()].reduce((sum, item) => sum + item, 0), completed: best.size }
  }
  const teamLines = [...teams].map(([name, team]) => teamLine({ name, ...team, ...pointsOf(name) }))
  const submissionLines = [...submissions].map(([link, submission]) => submissionLine({ link, ...submission }))
  const accessLines = [
    ...[...banned].map(bannedLine),
    ...[...tokens].map(([key, scopes]) => tokenLine(key, scopes)),
    ...[...webhooks].map(([name, webhook]) => webhookLine(name, webhook)),
  ]
  return [...teamLines, ...submissionLines, ...accessLines].toSorted()
}

type SeenTeam = Team & { name: string; points: number; completed: number }
export const teamLine = ({ name, members, chef, maxMembers, isActive, points, completed }: SeenTeam): string =>
  `team ${name}: members ${members.join(' ')}, chef ${chef}, ${maxMembers} seats, ${isActive ? 'active' : 'inactive'}, ${points} points in ${completed}`

type SeenSubmission = Pick<Submission, 'status' | 'points' | 'submitter'> & { link: string }
export const submissionLine = ({ link, status, points, submitter }: SeenSubmission): string =>
  `submission ${link}: ${status}, ${points} points, by ${submitter}`

export const bannedLine = (actor: number): string => `banned ${actor}`
export const tokenLine = (key: string, scopes: Scope[]): string => `${key}: ${scopes.join(' ')}`
export const webhookLine = (name: string, { team, isActive, received }: Omit<Webhook, 'creator'>): string =>
  `${name} of ${team ?? 'all'}: ${isActive ? 'active' : 'paused'}, sent ${received.toSorted().join(' ')}`
