import type { Team } from '@community/contract'
import { clsx } from 'clsx'
import { ArrowRightLeft, EyeOff, type LucideIcon, Pencil, Settings2, Trash2 } from 'lucide-react'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import type { ChefActions } from './use-chef-actions.ts'

interface BarAction {
  label: string
  Icon: LucideIcon
  run: () => void
  danger?: boolean
  /** Takes a full row on phones, as its label is long. */
  isWide?: boolean
}

/** The chef's actions on the team. */
export function ChefBar({ team, chef }: { team: Team; chef: ChefActions }) {
  const t = useT()
  const actions: BarAction[] = [
    { label: t('Rename'), Icon: Pencil, run: () => void chef.rename.run(team) },
    { label: t('Edit'), Icon: Settings2, run: () => chef.open('edit') },
  ]
  if (team.members.length > 1)
    actions.push({
      label: t('Transfer Ownership'),
      Icon: ArrowRightLeft,
      run: () => chef.open('transfer'),
      isWide: true,
    })
  if (team.isActive)
    actions.push({ label: t('Deactivate'), Icon: EyeOff, run: () => void chef.deactivate.run(team), danger: true })
  actions.push({ label: t('Delete'), Icon: Trash2, run: () => void chef.remove.run(team), danger: true })
  return (
    <section className="grid gap-2">
      <h3 className="text-lg">{t('Manage team')}</h3>
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {actions.map(({ label, Icon, run, danger, isWide }) => (
          <Button
            key={label}
            variant={danger ? 'danger-outline' : 'outline'}
            onClick={run}
            className={clsx(isWide && 'col-span-2')}
          >
            <Icon aria-hidden="true" />
            {label}
          </Button>
        ))}
      </div>
    </section>
  )
}
