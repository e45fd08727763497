import { useEffect, useEffectEvent } from 'react'
import type { SignInIntent } from './dialogs.ts'

/**
 * The window events that the specification names; `null` for no `detail`. For anything else use `openDialog` and `goToView`.
 */
interface EventDetails {
  /** 'forgot' opens the password reset. Without an intent the user stays where they are. */
  openAuthModal: { mode: 'login' | 'register' | 'forgot'; email?: string; intent?: SignInIntent | undefined }
  openCreateTeamModal: null
  openCreateChallengeModal: null
  openEditChallengeModal: { challengeId: string }
  /** Null if another script dispatches it without detail. */
  teamCreated: { teamId: string } | null
  submissionCreated: { teamId: string; challengeId: string } | null
  /** Each shows a view from its top. */
  navigateToDashboard: null
  navigateToAdmin: null
  navigateToChallenges: null
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
  const onEvent = useEffectEvent(handle)
  useEffect(() => listen(name, (detail) => onEvent(detail)), [name])
}
