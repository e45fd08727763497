import type { Submission, Team, TeamMember } from '@community/contract'
import { useEffect, useRef } from 'react'

/** The window events that the specification names, and their `detail`; `null` for none. */
export interface EventDetails {
  /** 'forgot' opens the password reset. */
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
  /** Null if another script dispatches it without detail. */
  teamCreated: { teamId: string } | null
  submissionCreated: { teamId: string; challengeId: string } | null
  /** Each shows a view from its top. */
  navigateToHome: null
  navigateToDashboard: null
  navigateToAdmin: null
  navigateToChallenges: null
  /** Shows a section of the public page. */
  navigateToSection: { section: string }
}

export type EventName = keyof EventDetails

type EmitArguments<E extends EventName> = EventDetails[E] extends null ? [] : [detail: EventDetails[E]]

/** `emit('openAuthModal', { mode: 'login' })`, `emit('openCreateTeamModal')`. */
export function emit<E extends EventName>(name: E, ...[detail]: EmitArguments<E>): void {
  window.dispatchEvent(new CustomEvent(name, { detail: detail ?? null }))
}

/** Returns a function that stops listening. */
export function listen<E extends EventName>(name: E, handle: (detail: EventDetails[E]) => void): () => void {
  // `detail` is untyped in the DOM; only `emit` sets it.
  const onEvent = (event: Event) => handle((event as CustomEvent<EventDetails[E]>).detail)
  window.addEventListener(name, onEvent)
  return () => window.removeEventListener(name, onEvent)
}

/** Listens while the component is mounted, always with the latest handler. */
export function useListen<E extends EventName>(name: E, handle: (detail: EventDetails[E]) => void): void {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  useEffect(() => listen(name, (detail) => latest.current(detail)), [name])
}
