import type { Submission, Team, TeamMember } from '@community/contract'
import { useEffect, useRef } from 'react'

/** The window events by which features meet; a feature never imports another. `null`: the event carries nothing. */
export interface EventDetails {
  /** 'forgot' begins at the forgotten password. */
  openAuthModal: { mode: 'login' | 'register' | 'forgot'; email?: string }
  /** Shows the settings of one's own account. */
  openAccount: null
  /** Shows the sign-in-required prompt (Sign In, Create Account, Maybe Later). */
  openSignInPrompt: { reason?: string }
  /** The prompt or the auth modal was left without signing in. */
  signInDismissed: null
  openCreateTeamModal: null
  /** `manage`: an admin comes to act on its members, not to read. */
  openTeam: { teamId: string; manage?: boolean }
  /** Asks at once: `member` leaves the team, is taken out of it, or, as its chef, hands it on. */
  openTeamAct: { team: Team; act: 'leave' | 'transfer' | 'remove'; member: TeamMember }
  openCreateChallengeModal: null
  openEditChallengeModal: { challengeId: string }
  /** A rejected application goes in again: by the team's chef, or by the member who submitted it. */
  openReapply: { application: Submission; isChef: boolean }
  /** Null where another script dispatches it without saying which. */
  teamCreated: { teamId: string } | null
  submissionCreated: { teamId: string; challengeId: string } | null
  /** Shows a view: the public page, the personal dashboard or the admin dashboard. */
  navigateToHome: null
  navigateToDashboard: null
  navigateToAdmin: null
  navigateToChallenges: null
  /** Scrolls to a section of the public page, leaving dashboard or admin first. */
  navigateToSection: { section: string }
}

export type EventName = keyof EventDetails

type EmitArguments<E extends EventName> = EventDetails[E] extends null ? [] : [detail: EventDetails[E]]

/** `emit('openAuthModal', { mode: 'login' })`, `emit('openCreateTeamModal')`. */
export function emit<E extends EventName>(name: E, ...[detail]: EmitArguments<E>): void {
  window.dispatchEvent(new CustomEvent(name, { detail: detail ?? null }))
}

/** Listens until the returned function is called. */
export function listen<E extends EventName>(name: E, handle: (detail: EventDetails[E]) => void): () => void {
  // CustomEvent's detail is untyped in the DOM; `emit` is its only source.
  const onEvent = (event: Event) => handle((event as CustomEvent<EventDetails[E]>).detail)
  window.addEventListener(name, onEvent)
  return () => window.removeEventListener(name, onEvent)
}

/** Listens while the component is mounted; the handler may change with every draw. */
export function useListen<E extends EventName>(name: E, handle: (detail: EventDetails[E]) => void): void {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  useEffect(() => listen(name, (detail) => latest.current(detail)), [name])
}
