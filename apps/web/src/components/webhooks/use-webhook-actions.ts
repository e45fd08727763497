import type { Webhook } from '@community/contract'
import { KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { type Action, useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { confirmAsChef, passwordIfAdmin, passwordInput } from '../confirm-as-chef.ts'
import type { View } from './view.ts'

interface WebhookActions {
  ping: Action<Webhook, unknown>
  menu: MenuItem[]
  /** Whether an action of the menu runs. */
  isPending: boolean
}

/** The actions on a webhook. Administrators are asked for their password. */
export function useWebhookActions(webhook: Webhook, onView: (view: View) => void): WebhookActions {
  const t = useT()
  const ping = usePing(onView)
  const toggle = useToggle()
  const replaceSecret = useReplaceSecret(onView)
  const remove = useRemove()
  const menu: MenuItem[] = [
    { label: t('Edit'), icon: Pencil, onSelect: () => onView({ name: 'form', webhook }) },
    webhook.isActive
      ? { label: t('Pause'), icon: Pause, onSelect: () => void toggle.run(webhook) }
      : { label: t('Resume'), icon: Play, onSelect: () => void toggle.run(webhook) },
    { label: t('Replace secret'), icon: KeyRound, onSelect: () => void replaceSecret.run(webhook) },
    { label: t('Delete'), icon: Trash2, danger: true, separated: true, onSelect: () => void remove.run(webhook) },
  ]
  return { ping, menu, isPending: [toggle, replaceSecret, remove].some((action) => action.isPending) }
}

function usePing(onView: (view: View) => void) {
  const t = useT()
  return useAction(trpcClient.webhooks.ping, {
    input: ({ id }: Webhook, answers) => ({ id, ...passwordInput(answers) }),
    ...passwordIfAdmin({ title: t('Send ping'), confirmLabel: t('Send') }),
    success: t('Ping sent'),
    failure: t('Failed to send the message'),
    onSuccess: (_output, webhook) => onView({ name: 'deliveries', webhook }),
    invalidates: ['webhooks.deliveries'],
  })
}

function useToggle() {
  const t = useT()
  return useAction(trpcClient.webhooks.update, {
    input: ({ id, isActive }: Webhook, answers) => ({ id, isActive: !isActive, ...passwordInput(answers) }),
    ...passwordIfAdmin({ title: t('Edit webhook'), confirmLabel: t('Continue') }),
    success: t('Webhook updated'),
    failure: t('Failed to update the webhook'),
    invalidates: ['webhooks.list'],
  })
}

function useReplaceSecret(onView: (view: View) => void) {
  const t = useT()
  return useAction(trpcClient.webhooks.rotateSecret, {
    input: ({ id }: Webhook, answers) => ({ id, ...passwordInput(answers) }),
    ...confirmAsChef(() => ({
      title: t('Replace the signing secret?'),
      message: t('Messages are signed with both secrets for 24 hours. Update your server within that time.'),
      confirmLabel: t('Replace secret'),
    })),
    failure: t('Failed to update the webhook'),
    onSuccess: ({ secret }) => onView({ name: 'secret', secret }),
    invalidates: ['webhooks.list'],
  })
}

function useRemove() {
  const t = useT()
  return useAction(trpcClient.webhooks.remove, {
    input: ({ id }: Webhook, answers) => ({ id, ...passwordInput(answers) }),
    ...confirmAsChef(({ url }: Webhook) => ({
      title: t('Delete this webhook?'),
      message: t('{url} will no longer receive events, and its deliveries will be deleted. This cannot be undone.', {
        url,
      }),
      confirmLabel: t('Delete'),
      danger: true,
    })),
    success: t('Webhook deleted'),
    failure: t('Failed to delete the webhook'),
    invalidates: ['webhooks.list'],
  })
}
